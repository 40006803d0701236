import { isNativeError } from 'node:util/types';
import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { monotonicMs } from '../../internal/timers.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { readEpochAnchorMicros } from '../../record/clock.ts';
import type { Recording } from '../../record/recording.ts';
import { describeError } from '../../record/snapshot/error.ts';
import { createShorten, type Shorten } from '../../record/snapshot/text.ts';
import type { StepError } from '../../record/types.ts';
import { createTraceId } from '../context/ids.ts';
import { parseTraceParent, type TraceParent } from '../context/traceparent.ts';
import { BodyTap } from '../messages/body.ts';
import { readRequestHeader, readSentStatus } from '../messages/headers.ts';
import type { TracedRequest, TracedResponse } from '../messages/traced-message.ts';
import { type ProcessSample, sampleProcess } from '../process-stats.ts';
import type { Mount } from './mount.ts';
import { Operations, replaceIdsInPath } from './operations.ts';

/** A value that was passed to `next` as an error, and the step that passed it. */
interface PassedValue {
  readonly value: unknown;
  readonly step: ActiveStep | null;
}

const FIRST_ERROR_STATUS = 400;

/**
 * Identifies a request without retaining Node's objects. A socket or a timer can retain the async context of a request, which contains this
 * mark, for a long time.
 */
export interface RequestMark {
  readonly startMs: number;
  /** True if the host excluded the request. */
  ignored: boolean;
}

/**
 * Shortens the texts of requests without a recording. Knows only the built-in redaction rules; the host's rules are applied when the trace
 * is written.
 */
const shortenRedacted = createShorten(new Redactor());

/** An empty list that all requests without a recording share. Nothing is ever added to it. */
const none: never[] = [];

/**
 * A request from arrival to end, with the data that is not in its `Recording`. Cheap to create for a request that is not recorded: it then
 * contains only the data needed if the request fails or is slow.
 */
export class RequestTrace {
  readonly req: TracedRequest;
  res: TracedResponse;
  /** Null for a request that was not sampled, and if the memory limit leaves no space for a recording. */
  readonly recording: Recording | null;
  readonly mark: RequestMark;
  /** True if the request was sampled, but the memory limit leaves no space for its recording. */
  lacksMemory = false;
  /** performance.now() at arrival. */
  readonly startMs: number;
  /** Epoch time, in µs, at which the monotonic clock was zero. The recording's steps use the same value. */
  readonly anchorMicros: number;
  /** The original request target. Frameworks rewrite `req.url`. */
  readonly target: string;
  /** The original method. Frameworks and hosts replace `req.method`. */
  readonly method: string;
  readonly machine: ProcessSample;
  readonly ip: string | undefined;
  readonly requestBody: BodyTap | null;
  /** Redacts and shortens long texts of the trace. */
  readonly shorten: Shorten;
  /**
   * Null if bodies are not captured. Also null if the response is sent without a body: the host can write a body for a HEAD request, but
   * Node drops it.
   */
  responseBody: BodyTap | null;

  /** Express mounts that the request has entered and not left, outermost first. */
  readonly mounts: Mount[];
  user: { readonly [property: string]: CapturedValue } | undefined;
  sessionId: string | undefined;
  attributes: { [name: string]: CapturedValue } | null = null;
  operations: Operations | null = null;
  /** Parent of the framework's layer steps: the step that was current when the first layer was called. */
  layerParent: ActiveStep | null | undefined = undefined;
  inFramework = false;
  /** Steps that end with the response: steps of layers and handlers that have returned, and respond or call `next` later. */
  readonly untilAnswered: ActiveStep[];
  /** The step and the result of the function that returned last. Set only for Hapi. */
  lastReturned: { readonly step: ActiveStep; readonly result: unknown } | null = null;
  /** True if the framework reports each error with which it responds. Errors of steps then do not fail the request. */
  reportsFailures = false;
  /** performance.now() when the response finished or the client disconnected. Work can continue afterwards. */
  closedMs: number | undefined;
  /** True if the trace was sent before its response finished. */
  cut = false;
  ended = false;
  /** Index in the list of active requests. */
  place = -1;
  #route: string | undefined;
  #reported: StepError | undefined;
  /** Values that count as errors only if the response fails, such as values passed to `next` that are not instances of `Error`. */
  #passedValues: PassedValue[] | null = null;
  #parent: TraceParent | null | undefined;
  #traceId: string | undefined;

  constructor(req: TracedRequest, res: TracedResponse, recording: Recording | null, bodyBytes: number) {
    this.startMs = monotonicMs();
    this.anchorMicros = recording?.anchorMicros ?? readEpochAnchorMicros();
    this.req = req;
    this.res = res;
    this.recording = recording;
    this.mark = { startMs: this.startMs, ignored: false };
    this.target = req.url ?? '/';
    this.method = req.method || 'GET';
    this.machine = sampleProcess(this.startMs);
    this.shorten = recording?.shorten ?? shortenRedacted;
    if (recording === null) {
      this.ip = undefined;
      this.requestBody = null;
      this.responseBody = null;
      this.mounts = none;
      this.untilAnswered = none;
      return;
    }
    recording.ids = this;
    // Read now, because the address is not available after the client has disconnected.
    this.ip = readRemoteAddress(req);
    this.requestBody = bodyBytes > 0 ? new BodyTap(bodyBytes) : null;
    this.responseBody = bodyBytes > 0 ? new BodyTap(bodyBytes) : null;
    this.mounts = [];
    this.untilAnswered = [];
  }

  /**
   * The caller's span, if the request has a `traceparent`. Parsed at the first access, because Node parses headers only when they are read.
   */
  get parent(): TraceParent | undefined {
    if (this.#parent === undefined)
      this.#parent = parseTraceParent(readRequestHeader(this.req, 'traceparent')) ?? null;
    return this.#parent ?? undefined;
  }

  /** The W3C trace id: the caller's, otherwise one set by another tracer, otherwise a new one. */
  get traceId(): string {
    this.#traceId ??= this.parent?.traceId ?? createTraceId();
    return this.#traceId;
  }

  adoptTraceId(traceId: string): void {
    this.#traceId ??= this.parent?.traceId ?? traceId;
  }

  get ignored(): boolean {
    return this.mark.ignored;
  }

  ignore(): void {
    this.mark.ignored = true;
  }

  get route(): string | undefined {
    return this.#route;
  }

  /** Ignores another route that matches after the head was written, since that route did not produce the response. */
  set route(route: string | undefined) {
    if (this.#route === undefined || !this.res.headersSent) this.#route = route;
  }

  get routeWithOperations(): string | undefined {
    return this.operations === null ? this.#route : this.operations.routeBelow(this.#route);
  }

  /** Adds a GraphQL operation of the request; see {@link Operations.add}. */
  addOperation(label: string): boolean {
    this.operations ??= new Operations(replaceIdsInPath(this.target, this.mounts));
    return this.operations.add(label);
  }

  /**
   * Called when a framework received an error, with the layer's step if known. `error` can be any value: some hosts pass a response body to
   * `next`.
   */
  reportError(error: unknown, step: ActiveStep | null = null): void {
    if (isNativeError(error)) this.#noteError(error, step);
    else this.reportFailure(error, step);
  }

  /** As {@link reportError}, for an error or another value that counts only if the response fails. */
  reportFailure(value: unknown, step: ActiveStep | null = null): void {
    this.#passedValues ??= [];
    this.#passedValues.push({ value, step });
  }

  /** The first error that a framework received. Some values count only if the response failed, which is known when the request ends. */
  get reported(): StepError | undefined {
    if (this.#passedValues !== null) {
      if (!this.res.headersSent || readSentStatus(this.res) >= FIRST_ERROR_STATUS) {
        for (const { value, step } of this.#passedValues) this.#noteError(value, step);
      }
      this.#passedValues = null;
    }
    return this.#reported;
  }

  #noteError(error: unknown, step: ActiveStep | null): void {
    this.#reported ??= describeError(error, this.shorten);
    if (step !== null) this.recording?.fail(step, error);
  }

  /** Called when the host has ended its response. */
  answered(): void {
    if (this.recording === null) return;
    for (const step of this.untilAnswered) this.recording.close(step);
    this.untilAnswered.length = 0;
  }

  annotate(name: string, value: CapturedValue): void {
    this.attributes ??= {};
    Object.defineProperty(this.attributes, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
}

/**
 * Key of the property that contains a message's trace. A property is used instead of a WeakMap, whose entries would slow the host's garbage
 * collection.
 */
const traceOf: unique symbol = Symbol('throughline.trace');

/** An object that can carry the trace: a request, a response or an HTTP/2 stream. */
interface Stamped {
  [traceOf]?: RequestTrace;
}

/** Attaches the trace to a message. The property is not enumerable, so a host that prints or copies the message does not see it. */
export function attachTrace(message: object & Stamped, trace: RequestTrace): void {
  Object.defineProperty(message, traceOf, {
    value: trace,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/** Returns the trace of the request that a message belongs to, if the request is traced. */
export function findRequestTrace(message: object & Stamped): RequestTrace | undefined {
  return message[traceOf];
}

/** Returns the trace of the request that the running code belongs to, if the request is recorded. */
export function getCurrentTrace(): RequestTrace | undefined {
  const ids = getCurrentRecording()?.ids;
  return ids instanceof RequestTrace ? ids : undefined;
}

/** Returns the client's address. An IPv4-mapped address is returned in IPv4 form. */
export function readRemoteAddress(req: TracedRequest): string | undefined {
  const address = req.socket?.remoteAddress;
  // Tools that inject requests can set any value as the address.
  if (typeof address !== 'string') return undefined;
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
