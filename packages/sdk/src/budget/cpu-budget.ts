import { monotonicMs } from '../internal/timers.ts';
import type { ActiveStep } from '../record/active-step.ts';
import type { Meter, MeteredRecording } from '../record/capture/metering.ts';
import type { FunctionSite, InstrumentedSite } from '../record/types.ts';
import { adjustLevels, type Level, type SiteUse } from './levels.ts';

const WINDOW_MS = 30_000;
/**
 * With `keepsStructure`: number of calls of each function, and of requests of each route, that show values in each minute although the
 * budget is used up. Rarely used code therefore always shows its values.
 */
const FRESH_CALLS = 20;
const FRESH_EACH_MS = 60_000;
/** About one in 16 function entries and exits is measured: reading the clock costs about as much as recording a call without values. */
const measuredOneIn = 16;
/**
 * Half-life of a function's remembered call rate: after this time without calls, half of the earlier rate is still expected. Without this
 * memory, the function's level would be raised between two bursts of calls.
 */
const BUSY_HALF_LIFE_MS = 5000;
/** An adjustment multiplies the remembered cost of a level by this factor if no call is recorded at this level. See `settle`. */
const believed = 0.8;

export interface CpuBudgetOptions {
  /** CPU budget in percent of one core. */
  readonly percent: number;
  readonly windowMs?: number;
  /** True if calls are always recorded and only their values can be omitted. */
  readonly keepsStructure?: boolean;
  /** Called when levels have changed. `takenPercent`: used percent of one core. `lowered`: functions recorded in part or not at all. */
  readonly onChange?: (takenPercent: number, lowered: number) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Routes beyond this number share one level. */
const MAX_ROUTES = 500;

export interface EndedRequest {
  readonly route: string;
  /** True if the request's headers and bodies are shown whatever they cost, because the request failed or was slow. */
  readonly isNotable: boolean;
}

/** Cost and recording level of one function's calls, or of the work at the end of one route's requests. */
class SiteMeter implements SiteUse {
  level: Level = 'values';
  calls = 0;
  busyCalls = 0;
  #busyPerMs = 0;
  /** Number of calls that can still show values in this minute although the level forbids values. */
  fresh = FRESH_CALLS;
  readonly perCall: { values: number | undefined; structure: number | undefined } = {
    values: undefined,
    structure: undefined,
  };
  /** `micros`: estimated CPU time of recording since the last adjustment, in µs. `recorded`: number of calls that took this time. */
  micros = 0;
  recorded = 0;

  /** Uses one of the calls that can show values although the level forbids them. Returns false if none is left. */
  takeFresh(): boolean {
    if (this.fresh === 0) return false;
    this.fresh--;
    return true;
  }

  note(micros: number): void {
    this.micros += micros;
    this.recorded++;
  }

  /** Applies the measurements since the last adjustment, `elapsedMs` ago, and resets them. */
  settle(elapsedMs: number): void {
    const remembered = this.#busyPerMs * 0.5 ** (elapsedMs / BUSY_HALF_LIFE_MS);
    this.#busyPerMs = Math.max(this.calls / elapsedMs, remembered);
    this.busyCalls = Math.max(this.calls, this.#busyPerMs * elapsedMs);
    const { perCall, level } = this;
    if (this.recorded > 0 && level !== 'off') perCall[level] = this.micros / this.recorded;
    // Reduces the remembered cost of a level that is not recorded, so that the level is tried again.
    if (level !== 'values' && perCall.values !== undefined) perCall.values *= believed;
    if (level === 'off' && perCall.structure !== undefined) perCall.structure *= believed;
    this.micros = 0;
    this.recorded = 0;
  }
}

/**
 * Limits the cost of recording to a share of one core, measured on this thread over a window. When the budget is used up, the most
 * expensive functions are recorded without values, then not at all (unless structure is kept), and fully again when the budget allows.
 */
export class CpuBudget implements Meter {
  readonly #options: CpuBudgetOptions;
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #allowedMicros: number;
  #freshSinceMs: number;
  readonly #sites = new Map<FunctionSite, SiteMeter>();
  readonly #routes = new Map<string, SiteMeter>();
  #windowStartMs: number;
  /** CPU time in µs since the last adjustment: for all recording, and for the ends of requests that count for no route. */
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

  measures(withValues: boolean): boolean {
    return withValues || this.#options.keepsStructure !== true;
  }

  enter(
    recording: MeteredRecording,
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
    const fresh = meter.level === 'structure' && this.#options.keepsStructure === true && meter.takeFresh();
    if (!fresh) meter.recorded++;
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
    // Random intervals, so that the pattern of a loop does not decide which of its calls are measured.
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    this.#untilMeasured = 1 + (this.#random % (2 * measuredOneIn - 1));
    return this.#now();
  }

  endExit(step: ActiveStep, started: number): void {
    if (step.site === null) return;
    const meter = this.#meterOf(step.site);
    // A call that showed values although its level forbids them is not counted for the level: it costs more than the level's other calls.
    this.#note(step.all && meter.level !== 'values' ? null : meter, started);
  }

  /**
   * Runs and measures the work done once at the end of a request. Passes false to `fn` if headers and bodies must be left out, because the
   * route's requests cost too much. This happens only with `keepsStructure`, and never if the request failed or was slow (`isNotable`).
   */
  measureRequest<T>(fn: (withMessages: boolean) => T, request?: EndedRequest): T {
    const started = this.#now();
    const meter =
      request === undefined || this.#options.keepsStructure !== true ? null : this.#routeMeter(request.route);
    const allowed = meter === null || meter.level === 'values';
    const shown = allowed || request?.isNotable === true || meter.takeFresh();
    if (meter !== null) meter.calls++;
    try {
      return fn(shown);
    } finally {
      const now = this.#now();
      const micros = (now - started) * 1000;
      // A request whose headers and bodies are shown although the level forbids them is not counted for the route's level, because it costs
      // more than the route's other requests.
      if (meter === null || shown !== allowed) this.#requestMicros += micros;
      else meter.note(micros);
      this.#spentMicros += micros;
      this.#look(now);
    }
  }

  #routeMeter(route: string): SiteMeter {
    const key = this.#routes.size < MAX_ROUTES || this.#routes.has(route) ? route : '';
    let meter = this.#routes.get(key);
    if (meter === undefined) {
      meter = new SiteMeter();
      this.#routes.set(key, meter);
    }
    return meter;
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
    // An exhausted budget is detected before its window ends.
    if (this.#spentMicros > this.#allowedMicros) this.#look(now);
  }

  /** Adjusts levels once per window, or as soon as the budget is used up. */
  #look(now: number): void {
    const elapsedMs = now - this.#windowStartMs;
    const usedUp = this.#spentMicros > this.#allowedMicros;
    if (!usedUp && elapsedMs < this.#windowMs) return;
    const takenPercent = this.#spentMicros / (elapsedMs * 10);
    const meters = [...this.#sites.values(), ...this.#routes.values()];
    for (const meter of meters) meter.settle(elapsedMs);
    const allowance = (this.#options.percent / 100) * elapsedMs * 1000;
    const lowest = this.#options.keepsStructure === true ? 'structure' : 'off';
    const changed = adjustLevels(meters, allowance, this.#requestMicros, lowest);
    const isFresh = now - this.#freshSinceMs >= FRESH_EACH_MS;
    if (isFresh) this.#freshSinceMs = now;
    for (const meter of meters) {
      meter.calls = 0;
      if (isFresh) meter.fresh = FRESH_CALLS;
    }
    this.#windowStartMs = now;
    this.#spentMicros = 0;
    this.#requestMicros = 0;
    if (changed > 0) this.#options.onChange?.(takenPercent, this.#lowered());
  }

  #lowered(): number {
    let count = 0;
    for (const { level } of this.#sites.values()) if (level !== 'values') count++;
    return count;
  }
}
