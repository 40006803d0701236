import { AsyncLocalStorage } from 'node:async_hooks';
import { Redactor } from '@throughline/contract/redaction';
import { runGuarded } from '../internal/report.ts';
import { clearTimeout, monotonicMs, setTimeout, wallMs } from '../internal/timers.ts';
import { returnWriter } from '../record/writer/writer-pool.ts';
import { getRedactRules } from '../redact/redaction.ts';
import { withoutValues } from './encode/all-values.ts';
import type { FinishedTrace } from './encode/wire.ts';
import { writeJson } from './encode/write-json.ts';
import { writeTrace } from './encode/write-trace.ts';
import type { ExporterCounters, ExporterOptions } from './exporter-options.ts';
import { type Batch, buildBody, noteStored, splitBatch, splitInvalid } from './queue/batch.ts';
import { dropWrittenValues } from './queue/drop-values.ts';
import { ExportQueue } from './queue/export-queue.ts';
import { chooseQueueLimit, type QueueLimit } from './queue/queue-limit.ts';
import { serializeTrace } from './queue/serialize-trace.ts';
import { flushInChildProcess } from './transport/flush-on-exit.ts';
import { DOCTOR, describeRejection, VALUES_IN_BACKLOG, VALUES_TOO_LARGE } from './transport/log-lines.ts';
import { type Answer, classifyResponse, type Outcome, type RemoteSettings } from './transport/outcome.ts';
import { CONNECTIONS, type Target } from './transport/post.ts';
import { Throttle } from './transport/throttle.ts';
import { Transport } from './transport/transport.ts';

/** Share of the queue's byte limit above which new traces are queued without values. */
const CROWDED_SHARE = 3 / 4;
const DELAY_MS = 500;
const PROBE_MS = 5 * 60 * 1000;
const EXIT_FLUSH_MS = 1000;
const ASK_MS = 60_000;
/** Minimum time in ms for sending traces in a child process. In less time, the child process could not send any trace. */
const MIN_EXIT_FLUSH_MS = 100;
/** Byte limit of the queue while the server refuses all traces. A probe sends queued traces, to test if the server accepts them. */
const REFUSED_BYTES = 1024 * 1024;
/** Number of attempts after which a batch is dropped if the server responds with an error that the batch can cause, such as 500. */
const MAX_ATTEMPTS = 8;
/**
 * Number of consecutive failures after which a problem is reported. It is also reported if the server requests a wait of at least {@link
 * LONG_WAIT_MS}.
 */
const REPORTED_FAILURES = 3;
const LONG_WAIT_MS = 60_000;

/**
 * Sends ended traces. `send` serializes a trace as JSON without secrets; compression and requests do not block the event loop. Never
 * throws. Keeps the process alive only during {@link flush} and {@link shutdown}.
 */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #target: Target;
  readonly #envelope: string;
  readonly #transport: Transport;
  readonly #redactor: Redactor;
  readonly #limit: QueueLimit;
  readonly #exportQueue: ExportQueue;
  readonly #throttle: Throttle;
  /** Runs a function outside of the async context of any request, so that the exporter's own requests are in no trace. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #oldestSince = 0;
  #sequence = 0;
  #flushing = 0;
  #closed = false;
  #askAt = 0;
  #waiters: (() => void)[] = [];
  #accepted = 0;
  #rejected = 0;
  #lost = 0;
  /** Number of lost traces that have not been reported to the server yet. */
  #unreportedLoss = 0;

  constructor(options: ExporterOptions) {
    this.#options = options;
    const url = new URL(`${options.url.replace(/\/+$/, '')}/api/ingest/traces`);
    this.#target = { url, apiKey: options.apiKey, userAgent: `${options.sdk.name}/${options.sdk.version}` };
    this.#envelope = writeJson({ sdk: options.sdk, service: options.service });
    this.#transport = new Transport(this.#target);
    const { maxBytes } = options;
    this.#limit =
      maxBytes === undefined ? chooseQueueLimit() : { bytes: maxBytes, bytesWithoutServer: maxBytes };
    this.#exportQueue = new ExportQueue(this.#limit.bytes);
    this.#redactor = new Redactor(getRedactRules(options.redact ?? {}));
    this.#throttle = new Throttle(options.probeMs ?? PROBE_MS);
  }

  get counters(): ExporterCounters {
    return { accepted: this.#accepted, rejected: this.#rejected, lost: this.#lost };
  }

  /** Bytes of JSON that are queued or in flight. */
  get heldBytes(): number {
    return this.#exportQueue.bytes;
  }

  /** True if the queue is so full that new traces are queued without values. */
  get isCrowded(): boolean {
    return this.#exportQueue.bytes > this.#limitNow * CROWDED_SHARE;
  }

  /** True if no trace is queued or in flight. */
  get isIdle(): boolean {
    return this.#exportQueue.isEmpty;
  }

  /** Queues an ended trace for sending. */
  send(trace: FinishedTrace): void {
    if (this.#closed) this.#lose(1);
    else this.#outside(() => this.#queue(trace));
  }

  /** Counts traces that were never recorded because the memory limit was reached. The next batch reports their number to the server. */
  giveUp(traces: number): void {
    this.#lose(traces);
  }

  /**
   * Requests the project's current settings by sending a batch without traces. Called when a request is not recorded: if no traces are
   * sent, no response would show that recording was turned on again. Does nothing if the settings were requested or received less than
   * about a minute ago, if traces are queued or in flight, or while no request is allowed.
   */
  askSettings(): void {
    const now = monotonicMs();
    if (now < this.#askAt || this.#closed || !this.isIdle || now < this.#throttle.pausedUntil) return;
    this.#askAgainLater(now);
    this.#outside(() => {
      this.#ask().catch(() => this.#options.report('the settings could not be fetched from the server'));
    });
  }

  /**
   * Sets the earliest time of the next request for settings. The time is randomized, so that processes that received the same settings do
   * not send requests together.
   */
  #askAgainLater(now: number): void {
    this.#askAt = now + (this.#options.askMs ?? ASK_MS) * (1 + Math.random() / 4);
  }

  async #ask(): Promise<void> {
    const body = buildBody([], this.#envelope, 0);
    const answer = await new Promise<Answer>((resolve) => this.#transport.post(undefined, body, resolve));
    if (this.#closed) return;
    const outcome = classifyResponse(answer, wallMs());
    const now = monotonicMs();
    if (outcome.kind === 'stored') {
      this.#throttle.succeeded();
      this.#follow(outcome.settings ?? {});
    } else if (outcome.kind === 'retry') this.#throttle.failed(now, outcome.waitMs);
    else if (outcome.kind === 'refused') this.#throttle.refused(now);
  }

  /**
   * Resolves to true when all traces queued so far are sent or dropped. Resolves to false after `timeoutMs`, or earlier if the exporter is
   * closed or allows the next request only after that time. Keeps the process alive until it resolves.
   */
  async flush(timeoutMs = 5000): Promise<boolean> {
    const last = this.#sequence;
    if (this.#exportQueue.isDoneUpTo(last)) return true;
    if (this.#closed || this.#throttle.pausedUntil > monotonicMs() + timeoutMs) return false;
    this.#flushing++;
    this.#outside(() => this.#pump());
    const done = await this.#doneUpTo(last, timeoutMs);
    this.#flushing--;
    return done;
  }

  #doneUpTo(sequence: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (done: boolean): void => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((waiter) => waiter !== check);
        resolve(done);
      };
      const deadline = monotonicMs() + timeoutMs;
      const check = (): void => {
        const done = this.#exportQueue.isDoneUpTo(sequence);
        const hopeless = this.#exportQueue.underWay === 0 && this.#throttle.pausedUntil > deadline;
        if (done || hopeless || this.#closed) finish(done && !this.#closed);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.#waiters.push(check);
    });
  }

  /** Sends the remaining traces for at most `timeoutMs`, then closes. Later traces are dropped. */
  async shutdown(timeoutMs = 5000): Promise<void> {
    await this.flush(timeoutMs);
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#transport.close();
    for (const batch of this.#exportQueue.takeAll()) this.#lose(batch.traces.length);
    this.#notify();
  }

  /**
   * Sends the remaining traces synchronously, within `exitFlushMs` (one second by default), because the process is about to end (but may
   * still continue). Batches in flight whose response has not arrived are sent a second time, with the same idempotency keys. Sends nothing
   * if the server refuses the traces or is known to be unreachable.
   */
  flushSync(): void {
    const limitMs = this.#options.exitFlushMs ?? EXIT_FLUSH_MS;
    const startedMs = monotonicMs();
    if (this.#transport.hasThread && !this.#throttle.isHopeless) this.#flushOverThread(limitMs);
    const newestFirst = this.#exportQueue.takeAll().reverse();
    if (newestFirst.length === 0) return;
    const leftMs = Math.ceil(limitMs - (monotonicMs() - startedMs));
    const isHopeless = this.#throttle.isHopeless || leftMs < Math.min(limitMs, MIN_EXIT_FLUSH_MS);
    const last = { newestFirst, envelope: this.#envelope, lost: this.#unreportedLoss };
    const end = flushInChildProcess(this.#target, last, isHopeless ? 0 : leftMs);
    this.#accepted += end.accepted;
    this.#rejected += end.rejected;
    this.#lost += end.lost;
    this.#unreportedLoss = end.unreported;
    for (const line of end.lines) this.#options.report(line);
    this.#notify();
  }

  /** Sends over the separate thread, whose event loop keeps running while this thread waits for the responses. */
  #flushOverThread(limitMs: number): void {
    for (let batch = this.#exportQueue.take(); batch !== undefined; batch = this.#exportQueue.take()) {
      this.#deliver(batch);
    }
    this.#transport.waitForAnswers(limitMs);
  }

  #notify(): void {
    for (const check of [...this.#waiters]) check();
  }

  #lose(traces: number): void {
    this.#lost += traces;
    this.#unreportedLoss += traces;
  }

  #queue(trace: FinishedTrace): void {
    this.#sequence++;
    this.#transport.poll();
    const { isCrowded } = this;
    const write = (one: FinishedTrace) => this.#write(one);
    const serialized = serializeTrace(trace, { write, isCrowded, report: this.#options.report });
    if (serialized === undefined) {
      this.#lose(1);
      return;
    }
    if (trace.writer !== null) returnWriter(trace.writer);
    if (this.#exportQueue.isEmpty) this.#oldestSince = monotonicMs();
    this.#exportQueue.add(serialized.json, this.#sequence, serialized.holdsValues);
    this.#makeRoom();
    this.#pump();
  }

  #write(trace: FinishedTrace): Uint8Array {
    return writeTrace(this.#options.redact === 'all-values' ? withoutValues(trace) : trace, this.#redactor);
  }

  /** Byte limit of the queue in the present state of the server. */
  get #limitNow(): number {
    const { bytes, bytesWithoutServer } = this.#limit;
    if (this.#throttle.isRefused) return Math.min(bytes, REFUSED_BYTES);
    return this.#throttle.isHopeless ? bytesWithoutServer : bytes;
  }

  /** Reduces the queue to its limit. Drops values before it drops traces. */
  #makeRoom(): void {
    const limit = this.#limitNow;
    const { isRefused } = this.#throttle;
    const mayShrink =
      !isRefused && this.#exportQueue.dropValues(limit, (json) => dropWrittenValues(json, 'backlog'));
    const lost = this.#exportQueue.shrinkTo(mayShrink ? this.#limit.bytes : limit);
    if (lost === 0) return;
    this.#lose(lost);
    if (isRefused) return;
    this.#options.report(
      `traces were dropped, because more than ${limit} bytes were waiting to be sent; ${DOCTOR}`,
    );
  }

  /** Sends the batches that can be sent now. Sets a timer for the other batches. */
  #pump(): void {
    if (this.#closed) return;
    const isWell = this.#throttle.failures === 0 && !this.#throttle.isRefused;
    if (isWell && this.#exportQueue.isBehind) this.#transport.startThread();
    if (isWell && this.isCrowded) this.#options.report(VALUES_IN_BACKLOG);
    const now = monotonicMs();
    const due = this.#flushing > 0 ? now : this.#oldestSince + (this.#options.delayMs ?? DELAY_MS);
    // After a failure, only one request at a time is sent, to test if the server responds again.
    const connections = isWell ? CONNECTIONS : 1;
    while (this.#exportQueue.underWay < connections && this.#exportQueue.hasAny) {
      const at = Math.max(this.#throttle.pausedUntil, this.#exportQueue.hasFullBatch ? 0 : due);
      if (now < at) {
        this.#wakeAt(at);
        return;
      }
      const batch = this.#exportQueue.take();
      if (batch !== undefined) this.#deliver(batch);
    }
  }

  #wakeAt(time: number): void {
    if (time >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = time;
    const wait = Math.max(1, Math.ceil(time - monotonicMs()));
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      runGuarded('Sending', () => this.#pump());
    }, wait).unref();
  }

  #deliver(batch: Batch): void {
    batch.attempts++;
    this.#oldestSince = monotonicMs();
    const lost = this.#unreportedLoss;
    this.#unreportedLoss = 0;
    const body = buildBody(batch.traces, this.#envelope, lost);
    this.#transport.post(batch.key, body, (answer) => this.#settle(batch, lost, answer));
  }

  /** Applies the response to a batch. `lost` is the number of lost traces that the request reported to the server. */
  #settle(batch: Batch, lost: number, answer: Answer): void {
    // The batch was dropped or sent in another way before this response arrived.
    if (!this.#exportQueue.isUnderWay(batch)) return;
    const outcome = classifyResponse(answer, wallMs());
    if (outcome.kind !== 'stored') this.#unreportedLoss += lost;
    this.#exportQueue.settle(batch, this.#next(batch, outcome));
    this.#makeRoom();
    this.#notify();
    this.#pump();
  }

  /** Applies the outcome of sending a batch. Returns the batches to send in its place. */
  #next(batch: Batch, outcome: Outcome): readonly Batch[] {
    const { report } = this.#options;
    const now = monotonicMs();
    let halves: readonly Batch[];
    switch (outcome.kind) {
      case 'stored':
        if (this.#throttle.isRefused) report('the server accepts traces again');
        this.#throttle.succeeded();
        noteStored(batch);
        this.#accepted += batch.traces.length - outcome.rejected;
        this.#rejected += outcome.rejected;
        if (outcome.reason !== undefined) report(describeRejection(outcome.reason));
        this.#askAgainLater(now);
        this.#follow(outcome.settings ?? {});
        return [];
      case 'retry':
        this.#throttle.failed(now, outcome.waitMs);
        if (this.#throttle.failures === REPORTED_FAILURES || (outcome.waitMs ?? 0) >= LONG_WAIT_MS) {
          report(`traces cannot be sent now and are sent later: ${outcome.reason}`);
        }
        return outcome.bounded && batch.attempts >= MAX_ATTEMPTS
          ? this.#giveUp(batch, outcome.reason)
          : [batch];
      case 'split':
        halves = outcome.isTooLarge ? splitBatch(batch) : splitInvalid(batch);
        if (halves.length > 0) return halves;
        return outcome.isTooLarge
          ? this.#sendWithoutValues(batch, outcome.reason)
          : this.#giveUp(batch, outcome.reason);
      case 'discard':
        return this.#giveUp(batch, outcome.reason);
      case 'refused':
        this.#throttle.refused(now);
        report(`traces are not sent: ${outcome.reason}; ${DOCTOR}`);
        return [batch];
    }
  }

  /** Sends a trace that is too large once more, without its values. */
  #sendWithoutValues(batch: Batch, reason: string): readonly Batch[] {
    try {
      const reduced = this.#exportQueue.dropBatchValues(batch, (json) => dropWrittenValues(json, 'size'));
      if (reduced !== undefined) {
        this.#options.report(VALUES_TOO_LARGE);
        return [reduced];
      }
    } catch {
      // The trace is lost.
    }
    return this.#giveUp(batch, reason);
  }

  #giveUp(batch: Batch, reason: string): readonly Batch[] {
    this.#lose(batch.traces.length);
    this.#options.report(
      `traces were dropped, because the server does not accept them: ${reason}; ${DOCTOR}`,
    );
    return [];
  }

  #follow(settings: RemoteSettings): void {
    try {
      this.#options.onSettings?.(settings);
    } catch {
      this.#options.report(
        'the settings that the server sent could not be applied; set sampleRate and capture in the code or environment',
      );
    }
  }
}
