import { type EntryHost, settleRequests } from './http/entry.ts';
import { finishedTrace } from './http/finished-trace.ts';
import type { RequestTrace } from './http/request-trace.ts';
import type { CaptureMode, Settings } from './options.ts';
import { currentRecording, Recording } from './record/recording.ts';
import type { Sender } from './send/sender.ts';

/** A request that was sampled out is sent all the same, without steps, when it took as long as this. */
const slowMs = 1000;
const noBodies = 0;

/** What the server may change while we run, where the host did not choose. */
export interface RemoteSettings {
  readonly sampleRate?: number | undefined;
  readonly capture?: CaptureMode | undefined;
}

/** The running SDK: decides what is recorded, and hands each finished request to the sender. */
export class Tracer implements EntryHost {
  sampleRate: number;
  private capture: CaptureMode;
  private stopped = false;
  private readonly settings: Settings;
  private readonly sender: Sender;
  /** Requests being recorded, for when the process ends before they do. */
  private readonly active = new Map<Recording, RequestTrace>();

  constructor(settings: Settings, sender: Sender) {
    this.settings = settings;
    this.sender = sender;
    this.sampleRate = settings.sampleRate;
    this.capture = settings.capture;
  }

  get on(): boolean {
    return !this.stopped && this.capture !== 'off';
  }

  get bodyBytes(): number {
    return this.capture === 'all' ? this.settings.limits.stepBytes : noBodies;
  }

  newRecording(): Recording {
    return new Recording({
      capture: this.capture === 'all' ? 'all' : 'structure',
      limits: this.settings.limits,
    });
  }

  begin(trace: RequestTrace): void {
    if (trace.recording !== null) this.active.set(trace.recording, trace);
  }

  end(trace: RequestTrace): void {
    if (trace.recording !== null) this.active.delete(trace.recording);
    const nowMs = trace.closedMs ?? performance.now();
    const unsampled = trace.recording === null ? reasonToSend(trace, nowMs) : undefined;
    const unwanted = trace.ignored || this.stopped || (trace.recording === null && unsampled === undefined);
    if (unwanted) trace.recording?.finish();
    else {
      const withValues = this.capture === 'all';
      this.sender.send(finishedTrace(trace, { nowMs, unsampled, withValues, unfinished: trace.cut }));
    }
  }

  /** The request that a recording under way belongs to. */
  traceOf(recording: Recording): RequestTrace | undefined {
    return this.active.get(recording);
  }

  /** Sends the requests that have their response, and waits for their work no longer. */
  settle(): void {
    settleRequests();
  }

  /** Whether nothing waits to be sent. */
  get isIdle(): boolean {
    return this.sender.isIdle;
  }

  /** Sends what is still being recorded as it stands: the process is about to end. */
  endUnfinished(): void {
    this.settle();
    const nowMs = performance.now();
    for (const trace of this.active.values()) {
      trace.ended = true;
      if (trace.ignored || this.stopped) continue;
      this.sender.send(finishedTrace(trace, { nowMs, unfinished: true, withValues: this.capture === 'all' }));
    }
    this.active.clear();
  }

  /** Nothing caught `error`: the request that it came from says so. Where the host dies of it, its `exit` follows. */
  uncaught(error: unknown): void {
    const recording = currentRecording();
    if (recording !== undefined) this.traceOf(recording)?.reportError(error);
  }

  /** The process ends now, and nothing asynchronous runs any more. */
  lastWords(): void {
    this.endUnfinished();
    this.sender.flushSync();
  }

  /**
   * Takes over what the project's settings say, but for what the host chose itself. Settings come with the answers to what is sent, so `off` holds
   * until the process is started anew.
   */
  follow(remote: RemoteSettings): void {
    if (remote.sampleRate !== undefined && !this.settings.sampleRateChosen)
      this.sampleRate = remote.sampleRate;
    if (remote.capture !== undefined && !this.settings.captureChosen) this.capture = remote.capture;
  }

  flush(timeoutMs?: number): Promise<boolean> {
    this.settle();
    return this.sender.flush(timeoutMs);
  }

  async shutdown(timeoutMs?: number): Promise<void> {
    this.stopped = true;
    await this.sender.shutdown(timeoutMs);
  }
}

function reasonToSend(trace: RequestTrace, nowMs: number): 'error' | 'slow' | undefined {
  if (trace.res.statusCode >= 500) return 'error';
  return nowMs - trace.startMs >= slowMs ? 'slow' : undefined;
}
