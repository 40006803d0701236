import type { CpuBudget } from '../budget/cpu-budget.ts';
import { HeldMemory } from '../budget/held-memory.ts';
import { describeLowered } from '../budget/lowered.ts';
import type { Settings } from '../config/options.ts';
import { type EntryHost, settleRequests } from '../http/entry.ts';
import { readSentStatus } from '../http/messages/headers.ts';
import type { TracedRequest } from '../http/messages/traced-message.ts';
import { ActiveRequests } from '../http/trace/active-requests.ts';
import { buildFinishedTrace, type TraceEnd } from '../http/trace/finished-trace.ts';
import { seemsToCarryOperation } from '../http/trace/graphql-request.ts';
import { getCurrentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { findReasonToSend } from '../http/trace/sampling.ts';
import { runGuarded } from '../internal/report.ts';
import { monotonicMs, setTimeout } from '../internal/timers.ts';
import { adoptHostTrace } from '../otel/host-sdk.ts';
import { getHostApi } from '../otel/register-with-api.ts';
import type { CaptureRules } from '../record/capture/capture-rules.ts';
import { Recording } from '../record/recording.ts';
import { buildCaptureRules } from '../redact/build-capture-rules.ts';
import type { Exporter } from '../send/exporter.ts';
import { WITHOUT_VALUES } from '../send/queue/drop-values.ts';
import type { FunctionSources } from '../source/function-sources.ts';
import { CapturePolicy, type RemoteSettings } from './capture-policy.ts';

const noBodies = 0;
/** Maximum time in ms for which a flush waits until the connections have sent the responses that the host has written. */
const closingMs = 500;
/** Interval in ms at which a flush checks if the responses have been sent. */
const closingTurnMs = 2;

/** The running SDK: decides what is recorded and passes each ended request to the exporter. */
export class Tracer implements EntryHost {
  private readonly policy: CapturePolicy;
  private readonly memory = new HeldMemory();
  private stopped = false;
  private readonly budget: CpuBudget | null;
  private readonly settings: Settings;
  private readonly exporter: Exporter;
  private readonly rules: CaptureRules;
  readonly active = new ActiveRequests();
  /** Requests in progress that are not recorded, because the memory limit was reached. */
  private readonly unrecorded = new ActiveRequests();

  private readonly sources: FunctionSources | null;

  constructor(
    settings: Settings,
    exporter: Exporter,
    {
      budget = null,
      sources = null,
    }: { readonly budget?: CpuBudget | null; readonly sources?: FunctionSources | null } = {},
  ) {
    this.settings = settings;
    this.exporter = exporter;
    this.budget = budget;
    this.sources = sources;
    this.rules = buildCaptureRules(settings.redact);
    this.policy = new CapturePolicy(settings);
  }

  get on(): boolean {
    return !this.stopped && this.policy.capture !== 'off';
  }

  samples(req: TracedRequest): boolean {
    return this.policy.samples(req);
  }

  /** Called for a request that is not recorded. Asks the server for the project's settings, if these could turn recording on again. */
  missed(): void {
    if (!this.stopped && this.policy.heedsRemote)
      runGuarded('Requesting settings', () => this.exporter.askSettings());
  }

  get bodyBytes(): number {
    return this.policy.capture === 'all' ? this.settings.limits.stepBytes : noBodies;
  }

  newRecording(): Recording | null {
    const room = this.memory.room(this.active, monotonicMs());
    if (room === 'none') return null;
    const withValues = room === 'values' && !this.exporter.isCrowded && this.policy.capture === 'all';
    return new Recording({
      capture: withValues ? 'all' : 'structure',
      limits: this.settings.limits,
      rules: this.rules,
    });
  }

  begin(trace: RequestTrace): void {
    if (trace.recording === null) {
      if (trace.lacksMemory) this.unrecorded.add(trace);
      this.missed();
      return;
    }
    this.active.add(trace);
    if (this.policy.capture === 'all' && !trace.recording.all)
      trace.annotate(WITHOUT_VALUES, this.exporter.isCrowded ? 'backlog' : 'memory');
    adoptHostTrace(trace.recording, getHostApi());
  }

  end(trace: RequestTrace): void {
    (trace.lacksMemory ? this.unrecorded : this.active).delete(trace);
    const nowMs = trace.closedMs ?? monotonicMs();
    if (this.budget === null || !this.isMeasured(trace)) this.hand(trace, nowMs, true);
    else {
      const route = `${trace.req.method} ${trace.route ?? ''}`;
      const request = { route, isNotable: isNotable(trace, nowMs - trace.startMs >= this.settings.slowMs) };
      this.budget.measureRequest((withMessages) => this.hand(trace, nowMs, withMessages), request);
    }
  }

  /** True if the budget can leave something out of the trace. */
  private isMeasured(trace: RequestTrace): boolean {
    const { recording } = trace;
    return recording !== null && (recording.meter !== null || this.sendsValues(trace));
  }

  private hand(trace: RequestTrace, nowMs: number, withMessages: boolean): void {
    const sendsMessages = withMessages || !this.sendsValues(trace);
    noteLowered(trace, sendsMessages);
    const unsampled =
      trace.recording === null
        ? findReasonToSend(trace, nowMs - trace.startMs, this.settings.slowMs)
        : undefined;
    const isMissing = trace.recording === null && (unsampled === undefined || !this.on);
    if (trace.ignored || this.stopped || isMissing) {
      trace.recording?.drop();
      if (trace.lacksMemory && !trace.ignored) this.exporter.giveUp(1);
    } else this.export(trace, { nowMs, unsampled, withMessages, unfinished: trace.cut });
  }

  private export(trace: RequestTrace, end: Omit<TraceEnd, 'withValues' | 'withHeaders' | 'sources'>): void {
    const withValues = this.sendsValues(trace);
    const sources = this.findSources(withValues);
    this.exporter.send(
      buildFinishedTrace(trace, { ...end, withValues, withHeaders: this.policy.capture === 'all', sources }),
    );
  }

  /** Sends the requests whose response is finished, without waiting for further work of these requests. */
  settle(): void {
    settleRequests();
  }

  /** True if no trace is queued or in flight. */
  get isIdle(): boolean {
    return this.exporter.isIdle;
  }

  /** Sends unfinished traces, because the process is about to end. */
  endUnfinished(): void {
    this.settle();
    const nowMs = monotonicMs();
    for (const trace of this.active) {
      trace.ended = true;
      if (trace.ignored || this.stopped) continue;
      noteLowered(trace, true);
      this.export(trace, { nowMs, unfinished: true, withMessages: true });
    }
    this.active.clear();
    for (const trace of this.unrecorded) {
      trace.ended = true;
      if (!trace.ignored) this.exporter.giveUp(1);
    }
    this.unrecorded.clear();
  }

  /** Records an uncaught error on the request in which the error was thrown. If the error ends the process, Node emits `exit` next. */
  uncaught(error: unknown): void {
    getCurrentTrace()?.reportError(error);
  }

  /** Called when the process ends. Asynchronous code does not run any more. */
  flushOnExit(): void {
    this.endUnfinished();
    this.exporter.flushSync();
  }

  /** Applies the project's settings, except for options that the host set itself. */
  follow(remote: RemoteSettings): void {
    this.policy.follow(remote);
    if (!this.on) this.dropActive();
  }

  /** Stops recording, including requests in progress, until `resume` is called. */
  pause(): void {
    this.policy.paused = true;
    this.dropActive();
  }

  resume(): void {
    this.policy.paused = false;
  }

  private dropActive(): void {
    for (const trace of this.active) {
      trace.ignore();
      trace.recording?.drop();
    }
    for (const trace of this.unrecorded) trace.ignore();
  }

  /** True if values can be sent: values must have been captured from the request's start to its end. */
  private sendsValues({ recording }: RequestTrace): boolean {
    return this.policy.capture === 'all' && recording?.all !== false;
  }

  /**
   * Returns the sources if source code is sent. By default, source code is sent if values are sent and are not hidden by `all-values`; the
   * host's option takes precedence.
   */
  private findSources(withValues: boolean): FunctionSources | undefined {
    const { source, redact } = this.settings;
    const wanted = source ?? (withValues && redact !== 'all-values');
    return wanted ? (this.sources ?? undefined) : undefined;
  }

  /**
   * Sends all traces. Includes requests whose response was just written, because a serverless host calls `flush` before the connection has
   * sent the response.
   */
  async flush(timeoutMs = 5000): Promise<boolean> {
    const until = monotonicMs() + timeoutMs;
    const closed = monotonicMs() + Math.min(timeoutMs, closingMs);
    while (this.isClosing && monotonicMs() < closed)
      await new Promise((turn) => setTimeout(turn, closingTurnMs));
    this.settle();
    return this.exporter.flush(Math.max(0, until - monotonicMs()));
  }

  /** True if a request has not ended although its response was written completely. */
  private get isClosing(): boolean {
    for (const { res, closedMs } of this.active) if (res.writableEnded && closedMs === undefined) return true;
    return false;
  }

  async shutdown(timeoutMs?: number): Promise<void> {
    this.stopped = true;
    await this.exporter.shutdown(timeoutMs);
  }
}

function noteLowered(trace: RequestTrace, withMessages: boolean): void {
  if (trace.recording === null) return;
  const lowered = describeLowered(trace.recording.lowered, withMessages);
  if (lowered !== undefined) trace.annotate('throughline.cpuBudget', lowered);
}

/** Lowest status of a failed response. */
const FIRST_ERROR_STATUS = 400;

/**
 * True if the request failed or was slow. Also true if the request seems to carry a GraphQL operation, because only bodies contain the
 * errors of GraphQL operations.
 */
function isNotable(trace: RequestTrace, isSlow: boolean): boolean {
  const { res, reported, recording } = trace;
  if (isSlow || !res.headersSent || readSentStatus(res) >= FIRST_ERROR_STATUS || reported !== undefined)
    return true;
  return recording?.failure() !== undefined || seemsToCarryOperation(trace);
}
