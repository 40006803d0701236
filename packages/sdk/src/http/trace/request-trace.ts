import { isNativeError } from 'node:util/types';
import type { CapturedValue } from '@throughline/contract/values';
import type { ActiveStep } from '../../record/active-step.ts';
import { currentRecording } from '../../record/async/work-context.ts';
import { epochAnchorMicros } from '../../record/clock.ts';
import type { Recording } from '../../record/recording.ts';
import { describeError } from '../../record/snapshot/error.ts';
import type { StepError } from '../../record/types.ts';
import { monotonicMs } from '../../runtime/timers.ts';
import { newTraceId } from '../context/ids.ts';
import { parseTraceParent, type TraceParent } from '../context/traceparent.ts';
import { BodyTap } from '../messages/body.ts';
import { sentStatus } from '../messages/headers.ts';
import type { TracedRequest, TracedResponse } from '../messages/traced-message.ts';
import { type Mark, sampleProcess } from '../process-stats.ts';
import { Operations, pathWithoutIds } from './operations.ts';

/** Where an Express mount was entered: the path as it was, and its template. */
export interface Mount {
  readonly actual: string;
  readonly template: string;
}

/** A value that was passed to `next` in place of an error, and the step that passed it. */
interface PassedValue {
  readonly value: unknown;
  readonly step: ActiveStep | null;
}

const FIRST_ERROR_STATUS = 400;

/** Shared by all requests that are not recorded: they never add to it. */
const none: never[] = [];

/**
 * One request from its arrival to its end: what `Recording` does not know. Cheap to make for a request that is not recorded: only what
 * an error or a slow answer needs.
 */
export class RequestTrace {
  readonly req: TracedRequest;
  res: TracedResponse;
  /** Null for a request that was sampled out. */
  readonly recording: Recording | null;
  /** performance.now(). */
  readonly startMs: number;
  /** The epoch at the monotonic clock's zero, as the recording's steps have it. */
  readonly anchorMicros: number;
  /** The request line as it came: frameworks rewrite `req.url`. */
  readonly target: string;
  readonly machine: Mark;
  readonly ip: string | undefined;
  readonly requestBody: BodyTap | null;
  /** Null too where there is none to be seen: the host may write one to a HEAD, which Node drops. */
  responseBody: BodyTap | null;

  /** The mounts that the request is in, outermost first. */
  readonly mounts: Mount[];
  user: { readonly [property: string]: CapturedValue } | undefined;
  sessionId: string | undefined;
  attributes: { [name: string]: CapturedValue } | null = null;
  /** The GraphQL operations of the request. */
  operations: Operations | null = null;
  /** Under which step a framework's layers stand: what ran when the first of them was called. */
  layerParent: ActiveStep | null | undefined = undefined;
  /** A framework has taken the request. */
  inFramework = false;
  /** Steps that end with the response: handlers that are not instrumented and answer later. */
  readonly untilAnswered: ActiveStep[];
  ignored = false;
  /** performance.now() when the response was done with, or the client gone; work may go on after it. */
  closedMs: number | undefined;
  /** Sent before its response was done with. */
  cut = false;
  ended = false;
  /** Where it stands among the active ones. */
  place = -1;
  #route: string | undefined;
  #reported: StepError | undefined;
  /** Values that were passed as errors and are no `Error`. */
  #passedValues: PassedValue[] | null = null;
  #parent: TraceParent | null | undefined;
  #traceId: string | undefined;

  constructor(req: TracedRequest, res: TracedResponse, recording: Recording | null, bodyBytes: number) {
    this.startMs = monotonicMs();
    this.anchorMicros = epochAnchorMicros();
    this.req = req;
    this.res = res;
    this.recording = recording;
    this.target = req.url ?? '/';
    this.machine = sampleProcess(this.startMs);
    if (recording === null) {
      this.ip = undefined;
      this.requestBody = null;
      this.responseBody = null;
      this.mounts = none;
      this.untilAnswered = none;
      return;
    }
    recording.ids = this;
    // The address is gone when the client hangs up.
    this.ip = readRemoteAddress(req);
    this.requestBody = bodyBytes > 0 ? new BodyTap(bodyBytes) : null;
    this.responseBody = bodyBytes > 0 ? new BodyTap(bodyBytes) : null;
    this.mounts = [];
    this.untilAnswered = [];
  }

  /** The caller's step, where it sent a `traceparent`. Read when first asked for: Node parses headers no sooner. */
  get parent(): TraceParent | undefined {
    if (this.#parent === undefined) this.#parent = parseTraceParent(this.req.headers.traceparent) ?? null;
    return this.#parent ?? undefined;
  }

  /** The W3C trace id: the caller's, else one that another tracer has adopted us into, else a new one. */
  get traceId(): string {
    this.#traceId ??= this.parent?.traceId ?? newTraceId();
    return this.#traceId;
  }

  adoptTraceId(traceId: string): void {
    this.#traceId ??= this.parent?.traceId ?? traceId;
  }

  /** The route's template. */
  get route(): string | undefined {
    return this.#route;
  }

  /** A route that matches once the head is written did not make the answer. */
  set route(route: string | undefined) {
    if (this.#route === undefined || !this.res.headersSent) this.#route = route;
  }

  /** The route, with the operations where it asks for some. */
  get routeWithOperations(): string | undefined {
    return this.operations === null ? this.#route : this.operations.routeBelow(this.#route);
  }

  /** The request asks a GraphQL server for something. False where it has asked for something else before. */
  addOperation(label: string): boolean {
    this.operations ??= new Operations(pathWithoutIds(this.target, this.mounts));
    return this.operations.add(label);
  }

  /** A framework was told that something went wrong, in a layer's step where that is known. Some hosts pass an answer's body on in the same way. */
  reportError(error: unknown, step: ActiveStep | null = null): void {
    if (isNativeError(error)) this.#noteError(error, step);
    else {
      this.#passedValues ??= [];
      this.#passedValues.push({ value: error, step });
    }
  }

  /** The first error that a framework received. A value that is no `Error` counts only if the response failed, which is known at the end. */
  get reported(): StepError | undefined {
    if (this.#passedValues !== null) {
      if (!this.res.headersSent || sentStatus(this.res) >= FIRST_ERROR_STATUS) {
        for (const { value, step } of this.#passedValues) this.#noteError(value, step);
      }
      this.#passedValues = null;
    }
    return this.#reported;
  }

  #noteError(error: unknown, step: ActiveStep | null): void {
    this.#reported ??= describeError(error);
    if (step !== null) this.recording?.fail(step, error);
  }

  /** Called when the host has written its answer's end. */
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

/** A symbol, not a WeakMap: one property a message, where ephemerons would cost the host's garbage collector. */
const traceOf: unique symbol = Symbol('throughline.trace');

/** An object that can carry the trace: a request, a response, or an HTTP/2 stream. */
interface Stamped {
  [traceOf]?: RequestTrace;
}

/** Not enumerable: a host that prints a message, or copies its properties, sees its own. */
export function stamp(message: object & Stamped, trace: RequestTrace): void {
  Object.defineProperty(message, traceOf, {
    value: trace,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

/** The request that a message belongs to, if it is watched. */
export function findRequestTrace(message: object & Stamped): RequestTrace | undefined {
  return message[traceOf];
}

/** The request that the running code belongs to, if it is recorded. */
export function currentTrace(): RequestTrace | undefined {
  const ids = currentRecording()?.ids;
  return ids instanceof RequestTrace ? ids : undefined;
}

/** The peer's address, an IPv4 one in its own form. */
export function readRemoteAddress(req: TracedRequest): string | undefined {
  const address = req.socket?.remoteAddress;
  return address?.startsWith('::ffff:') === true ? address.slice(7) : address;
}
