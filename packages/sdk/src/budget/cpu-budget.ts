import type { ActiveStep, InstrumentedSite } from '../record/active-step.ts';
import type { Meter } from '../record/capture/metering.ts';
import type { Recording } from '../record/recording.ts';
import type { FunctionSite } from '../record/types.ts';
import { monotonicMs } from '../runtime/timers.ts';
import { adjustLevels, type Level, type SiteUse } from './levels.ts';

/** The time that a budget is a share of, where it does not say. */
const WINDOW_MS = 30_000;
/** So many calls of a function show their values each minute, whatever they cost: rarely used code always shows them. */
const FRESH_CALLS = 20;
const FRESH_EACH_MS = 60_000;
/** On average one in so many entries and exits is measured: reading the clock costs about as much as recording a bare call. */
const measuredOneIn = 16;
/** From one look to the next. */
const believed = 0.8;

export interface CpuBudgetOptions {
  /** Percent of one core. */
  readonly percent: number;
  /** The time that it is a share of. */
  readonly windowMs?: number;
  /** True if calls are always recorded and only their values are left out. */
  readonly keepsStructure?: boolean;
  /** Told when levels have changed: the share taken, in percent, and how many functions are recorded in part. */
  readonly onChange?: (takenPercent: number, lowered: number) => void;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/** One function: what its calls cost, and how much of them is recorded. */
class SiteMeter implements SiteUse {
  level: Level = 'values';
  calls = 0;
  /** Calls that may still show their values in this minute, where others may not. */
  fresh = FRESH_CALLS;
  readonly perCall: { values: number | undefined; structure: number | undefined } = {
    values: undefined,
    structure: undefined,
  };
  /** µs since the last look, by extrapolation, and the calls that they were for. */
  micros = 0;
  recorded = 0;

  /** Adds the measurements since the last look, and resets them. */
  settle(): void {
    const { perCall, level } = this;
    if (this.recorded > 0 && level !== 'off') perCall[level] = this.micros / this.recorded;
    // An old measurement loses weight, so that the level is tried again.
    if (level !== 'values' && perCall.values !== undefined) perCall.values *= believed;
    if (level === 'off' && perCall.structure !== undefined) perCall.structure *= believed;
    this.micros = 0;
    this.recorded = 0;
  }
}

/**
 * Keeps what recording costs below a share of one core, measured on its thread over a while: when the share is used up, the
 * functions that cost most are recorded without values, then not at all (unless structure is kept), and again in full when there is room.
 */
export class CpuBudget implements Meter {
  readonly #options: CpuBudgetOptions;
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #allowedMicros: number;
  #freshSinceMs: number;
  readonly #sites = new Map<FunctionSite, SiteMeter>();
  #windowStartMs: number;
  /** µs in this window: of frames by extrapolation, and of whole requests. */
  #spentMicros = 0;
  #requestMicros = 0;
  #untilMeasured = 1;
  #random = 1;

  constructor(options: CpuBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? monotonicMs;
    this.#windowMs = options.windowMs ?? WINDOW_MS;
    this.#allowedMicros = (options.percent / 100) * this.#windowMs * 1000;
    this.#windowStartMs = this.#now();
    this.#freshSinceMs = this.#windowStartMs;
  }

  enter(
    recording: Recording,
    site: InstrumentedSite,
    outer: ActiveStep | null,
    inputs: readonly unknown[] | undefined,
  ): ActiveStep | null {
    const meter = this.#meterOf(site);
    meter.calls++;
    if (meter.level === 'off') {
      recording.lowered.set(site, 'off');
      return null;
    }
    const fresh = meter.level === 'structure' && this.#options.keepsStructure === true && meter.fresh > 0;
    if (fresh) meter.fresh--;
    else meter.recorded++;
    const started = this.beginExit();
    const full = fresh || meter.level === 'values';
    const step = recording.enter(site, outer, full ? inputs : undefined);
    if (!full && step !== null && step.all) {
      step.all = false;
      recording.lowered.set(site, 'structure');
    }
    if (started >= 0) this.#note(fresh ? null : meter, started);
    return step;
  }

  beginExit(): number {
    if (--this.#untilMeasured > 0) return -1;
    // Gaps of changing length: a loop's own rhythm must not decide which of its calls are measured.
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    this.#untilMeasured = 1 + (this.#random % (2 * measuredOneIn - 1));
    return this.#now();
  }

  endExit(step: ActiveStep, started: number): void {
    if (step.site === null) return;
    const meter = this.#meterOf(step.site);
    // A call that shows its values although others may not says nothing of what those cost.
    this.#note(step.all && meter.level !== 'values' ? null : meter, started);
  }

  /** Runs what is done once a request at its end, and measures it. */
  measureRequest<T>(fn: () => T): T {
    const started = this.#now();
    try {
      return fn();
    } finally {
      const now = this.#now();
      this.#requestMicros += (now - started) * 1000;
      this.#spentMicros += (now - started) * 1000;
      this.#look(now);
    }
  }

  #meterOf(site: FunctionSite): SiteMeter {
    let meter = this.#sites.get(site);
    if (meter === undefined) {
      meter = new SiteMeter();
      this.#sites.set(site, meter);
    }
    return meter;
  }

  #note(meter: SiteMeter | null, started: number): void {
    const now = this.#now();
    const micros = (now - started) * 1000 * measuredOneIn;
    if (meter !== null) meter.micros += micros;
    this.#spentMicros += micros;
    // A budget that is used up is known before its window ends.
    if (this.#spentMicros > this.#allowedMicros) this.#look(now);
  }

  /** Changes levels, once a window or as soon as its share is used up. */
  #look(now: number): void {
    const elapsedMs = now - this.#windowStartMs;
    const usedUp = this.#spentMicros > this.#allowedMicros;
    if (!usedUp && elapsedMs < this.#windowMs) return;
    const takenPercent = this.#spentMicros / (elapsedMs * 10);
    for (const meter of this.#sites.values()) meter.settle();
    const allowance = (this.#options.percent / 100) * elapsedMs * 1000;
    const lowest = this.#options.keepsStructure === true ? 'structure' : 'off';
    const changed = adjustLevels(this.#sites.values(), allowance, this.#requestMicros, lowest);
    this.#refresh(now);
    for (const meter of this.#sites.values()) meter.calls = 0;
    this.#windowStartMs = now;
    this.#spentMicros = 0;
    this.#requestMicros = 0;
    if (changed > 0) this.#options.onChange?.(takenPercent, this.#lowered());
  }

  #refresh(now: number): void {
    if (now - this.#freshSinceMs < FRESH_EACH_MS) return;
    this.#freshSinceMs = now;
    for (const meter of this.#sites.values()) meter.fresh = FRESH_CALLS;
  }

  #lowered(): number {
    let count = 0;
    for (const { level } of this.#sites.values()) if (level !== 'values') count++;
    return count;
  }
}
