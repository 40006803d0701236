import type { CapturedValue } from '@throughline/contract/values';
import { createSpanId } from '../http/context/ids.ts';
import { BodyTap } from '../http/messages/body.ts';
import { maxName } from '../internal/name-length.ts';
import { hasHostSdk } from '../otel/register-with-api.ts';
import { withoutQuery } from '../otel/spans/describe-span.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { propagation } from '../record/async/async-parent.ts';
import { readMonotonicMicros } from '../record/clock.ts';
import type { Recording } from '../record/recording.ts';

/** Maximum number of bytes captured per body. */
const bodyBytes = 16 * 1024;
const maxUrl = 8192;
const redirects = new Set([301, 302, 303, 307, 308]);

type Headers = { readonly [name: string]: CapturedValue };

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/**
 * A request that the host sends to another server. The request's step lasts from the call to the end of the response body, or to the
 * response head if the body is not read.
 */
export class OutgoingCall {
  readonly recording: Recording;
  readonly step: ActiveStep;
  readonly #spanId = createSpanId();
  /** True if the host called `fetch`, which follows redirects. */
  readonly isFetch: boolean;
  #sent: BodyTap | null;
  #received: BodyTap | null;
  #request: OutgoingRequest | undefined;
  #response: { readonly statusCode: number; readonly headers: Headers } | undefined;
  #over = false;

  private constructor(recording: Recording, step: ActiveStep, isFetch: boolean) {
    this.recording = recording;
    this.step = step;
    this.isFetch = isFetch;
    this.#sent = recording.all ? new BodyTap(bodyBytes) : null;
    this.#received = recording.all ? new BodyTap(bodyBytes) : null;
  }

  /** Opens the step of a request. Returns null if the step limit is reached. */
  static open(recording: Recording, isFetch = false): OutgoingCall | null {
    const parent = recording.here;
    // The step's parent can be unknown because calls that are counted in a call aggregate did not change the async context. From now on,
    // such calls change the context, so that the parents of later steps are known.
    if (parent === null) propagation.on = true;
    const step = recording.open({ name: 'http request', type: 'http', parent });
    return step === null ? null : new OutgoingCall(recording, step, isFetch);
  }

  /**
   * The `traceparent` header to send (W3C Trace Context). Undefined if the host runs its own OpenTelemetry SDK, which sends the header
   * itself.
   */
  get traceParent(): string | undefined {
    const traceId = this.recording.ids?.traceId;
    return traceId === undefined || hasHostSdk() ? undefined : `00-${traceId}-${this.#spanId}-01`;
  }

  name(method: string, url: string): void {
    this.step.name = this.recording.shorten(`${method} ${withoutQuery(url)}`, maxName);
  }

  /**
   * Stores the data of the request. If the host's request is redirected, further requests follow. The data of these further requests is
   * ignored.
   */
  describe(request: OutgoingRequest): void {
    if (!this.#isOpen || this.#request !== undefined) return;
    this.#request = request;
    this.name(request.method, request.url);
  }

  /** Adds a chunk of the request body. */
  sent(chunk: unknown, encoding?: unknown): void {
    this.#sent?.add(chunk, encoding);
  }

  /** Adds a chunk of the response body. */
  received(chunk: unknown, encoding?: unknown): void {
    this.#received?.add(chunk, encoding);
  }

  /** Called when the response head has arrived. */
  answered(statusCode: number, headers: Headers): void {
    if (!this.#isOpen) return;
    this.#response = { statusCode, headers };
    // The bytes received so far are the body of the redirect, not of the final response.
    if (this.#received !== null && this.#received.size > 0) this.#received = new BodyTap(bodyBytes);
    this.#show();
  }

  get hasAnswer(): boolean {
    return this.#response !== undefined;
  }

  get isRedirected(): boolean {
    return redirects.has(this.#response?.statusCode ?? 0);
  }

  /** Called when the response body has ended. */
  finish(): void {
    if (!this.#isOpen) return;
    this.#end();
  }

  /** Called if there was no response, or only an incomplete one. */
  fail(error: unknown): void {
    if (!this.#isOpen) return;
    this.recording.fail(this.step, error);
    this.#end();
  }

  #end(): void {
    this.#show();
    this.#over = true;
    // Releases the bodies, because a kept-alive connection references this object for longer than the call lasts.
    this.#sent = this.#received = null;
    this.#request = this.#response = undefined;
  }

  get #isOpen(): boolean {
    return !this.#over && this.step.recording === this.recording;
  }

  /**
   * Closes the step with the present time as its end. Called when the response head arrives, and again when the request ends, which moves
   * the step's end.
   */
  #show(): void {
    const { step, recording } = this;
    const response = this.#response;
    step.endMicros = -1;
    if (recording.all && this.#request !== undefined) step.inputs = this.#inputs(this.#request);
    recording.close(step, {
      metadata: {
        spanId: this.#spanId,
        ...(response !== undefined && { statusCode: response.statusCode }),
        ...(this.#received !== null && this.#received.size > 0 && { responseBytes: this.#received.size }),
      },
      ...(recording.all && response !== undefined && { outputs: this.#outputs(response) }),
    });
    step.endMicros = readMonotonicMicros();
  }

  #inputs({ method, url, headers }: OutgoingRequest): CapturedValue {
    const body = this.#sent?.view(takeSingle(headers['content-type']), undefined, this.recording.shorten);
    return { method, url: this.recording.shorten(url, maxUrl), headers, ...(body !== undefined && { body }) };
  }

  #outputs({ statusCode, headers }: { statusCode: number; headers: Headers }): CapturedValue {
    const body = this.#received?.view(
      takeSingle(headers['content-type']),
      takeSingle(headers['content-encoding']),
      this.recording.shorten,
    );
    return { statusCode, headers, ...(body !== undefined && { body }) };
  }
}

function takeSingle(value: CapturedValue | undefined): string | undefined {
  if (Array.isArray(value)) return typeof value[0] === 'string' ? value[0] : undefined;
  return typeof value === 'string' ? value : undefined;
}
