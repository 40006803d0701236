import { Redactor } from '@throughline/contract/redaction';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record, traced } from '../../test/traced.ts';
import { runRecording } from '../record/async/work-context.ts';
import { defaultLimits } from '../record/capture/limits.ts';
import { metering } from '../record/capture/metering.ts';
import { Recording } from '../record/recording.ts';
import { CpuBudget, type CpuBudgetOptions } from './cpu-budget.ts';
import { describeLowered } from './lowered.ts';

const { hot, cold, work } = traced(`
function hot(n) { return n + 1 }
function cold(n) { return n }
exports.hot = hot; exports.cold = cold;
exports.work = function work() { let sum = cold(1); for (let i = 0; i < 15; i++) sum = hot(sum); return sum }`);

/** Time of the test's clock. Each reading advances the clock by `stepMs`, so that each measured operation takes `stepMs`. */
let nowMs: number;
let stepMs: number;
const now = () => {
  nowMs += stepMs;
  return nowMs;
};
let changes: [percent: number, lowered: number][];

function start(percent: number, more: Partial<CpuBudgetOptions> = {}): CpuBudget {
  const budget = new CpuBudget({
    ...more,
    percent,
    now,
    onChange: (taken, lowered) => changes.push([taken, lowered]),
  });
  metering.meter = budget;
  return budget;
}

beforeEach(() => {
  [nowMs, stepMs, changes] = [0, 0.001, []];
});
afterEach(() => {
  metering.meter = null;
});

/** Runs a request. Returns the functions that were recorded in part, and the request's steps. */
async function request(budget: CpuBudget, fn = work) {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => fn?.());
  const lowered = describeLowered(recording.lowered);
  return { lowered, flow: budget.measureRequest(() => recording.finish()).flow };
}

describe('a budget of CPU time', () => {
  it('restricts the recording of no function until recording has used up the budget', async () => {
    const budget = start(50);
    for (let index = 0; index < 200; index++) {
      const { lowered, flow } = await request(budget);
      expect(lowered).toBeUndefined();
      expect(flow.find(({ stepName }) => stepName === 'cold')?.inputs).toBeDefined();
    }
    nowMs += 30_000;
    await request(budget);
    expect(changes).toEqual([]);
  });

  it("first stops recording the most expensive function's values, then the function's calls, and lists such functions in each trace", async () => {
    const budget = start(1);
    nowMs += 10_000;
    stepMs = 0.5;
    const seen: unknown[] = [];
    for (let index = 0; index < 400 && changes.length < 6; index++) {
      const { lowered, flow } = await request(budget);
      if (JSON.stringify(lowered) !== JSON.stringify(seen.at(-1))) seen.push(lowered);
      const hots = flow.filter(({ stepName }) => stepName === 'hot');
      // A function's level can change within a request. If any of its calls has no values, the function must be listed.
      const said = JSON.stringify(lowered) ?? '';
      const complete = hots.length === 15 && hots.every((step) => step.inputs !== undefined);
      expect(complete).toBe(!said.includes('"hot in '));
    }
    expect(changes.length).toBeGreaterThan(0);
    const first = JSON.stringify(seen.find((lowered) => lowered !== undefined));
    expect(first).toContain('hot in src/traced.js, line 2');
    expect(JSON.stringify(seen)).toContain('notRecorded');
  });

  it('raises the levels again when recording costs less than the budget', async () => {
    const budget = start(1);
    nowMs += 10_000;
    stepMs = 0.5;
    for (let index = 0; index < 100 && changes.length < 3; index++) await request(budget);
    expect(changes.length).toBeGreaterThanOrEqual(1);
    stepMs = 0.00001;
    for (let window = 0; window < 60; window++) {
      for (let index = 0; index < 20; index++) await request(budget);
      nowMs += 30_001;
      await request(budget);
    }
    expect((await request(budget)).lowered).toBeUndefined();
    expect(changes.at(-1)?.[1]).toBe(0);
  });

  it('with keepsStructure, drops values within a second, and omits no call', async () => {
    const budget = start(20, { windowMs: 1000, keepsStructure: true });
    stepMs = 0.5;
    const startedMs = nowMs;
    let withoutMs: number | undefined;
    for (let index = 0; index < 400; index++) {
      const { lowered, flow } = await request(budget);
      expect(flow.filter(({ stepName }) => stepName === 'hot')).toHaveLength(15);
      expect(JSON.stringify(lowered) ?? '').not.toContain('notRecorded');
      if (lowered !== undefined) withoutMs ??= nowMs - startedMs;
    }
    expect(withoutMs).toBeLessThan(1000);
  });

  it('with keepsStructure, measures nothing in a request that is recorded without values', async () => {
    const budget = start(20, { keepsStructure: true });
    const readings = nowMs;
    const recording = new Recording({ capture: 'structure', limits: defaultLimits });
    runRecording(recording, () => work?.());
    expect(recording.meter).toBeNull();
    expect(nowMs).toBe(readings);
    expect(budget.measures(true)).toBe(true);
  });

  it('without keepsStructure, also measures requests that are recorded without values', () => {
    start(1);
    expect(new Recording({ capture: 'structure', limits: defaultLimits }).meter).not.toBeNull();
  });

  it('still leaves out values in a pause of a few seconds after a burst of requests', async () => {
    const budget = start(20, { windowMs: 1000, keepsStructure: true });
    const burst = async () => {
      stepMs = 0.5;
      for (let index = 0; index < 100; index++) await request(budget);
    };
    await burst();
    stepMs = 0.001;
    for (let second = 0; second < 3; second++) {
      nowMs += 1000;
      await request(budget);
    }
    expect(JSON.stringify((await request(budget)).lowered)).toContain('hot in ');
    for (let second = 0; second < 60; second++) {
      nowMs += 1000;
      await request(budget);
    }
    expect((await request(budget)).lowered).toBeUndefined();
  });

  it('with keepsStructure, shows the values of the first calls of each minute, and of failed calls', async () => {
    const { fails, rare } = traced(`
function check(n) { if (n < 0) throw new RangeError('negative'); return n }
exports.fails = function fails(n) { return check(n) }
exports.rare = function rare(text) { return text }`);
    const budget = start(20, { windowMs: 1000, keepsStructure: true });
    stepMs = 50;
    const shown = async (fn: (() => unknown) | undefined, name: string) => {
      const recording = new Recording({ capture: 'all', limits: defaultLimits });
      runRecording(recording, () => {
        try {
          fn?.();
        } catch {}
      });
      return budget.measureRequest(() => recording.finish()).flow.find(({ stepName }) => stepName === name);
    };
    for (let index = 0; index < 200; index++) await request(budget);
    for (let index = 0; index < 60; index++) await shown(() => fails?.(1), 'check');
    expect((await shown(() => fails?.(1), 'check'))?.variables).toBeUndefined();
    expect((await shown(() => fails?.(-1), 'check'))?.variables).toBeDefined();
    expect((await shown(() => rare?.('x'), 'rare'))?.variables).toBeDefined();
    nowMs += 61_000;
    for (let index = 0; index < 30; index++) await request(budget);
    expect((await shown(() => fails?.(1), 'check'))?.variables).toBeDefined();
  });

  describe('that measures the end of each request of a route', () => {
    const end = (budget: CpuBudget, isNotable = false) => {
      stepMs = 0;
      // Simulates the recording of a request: 5 ms with headers and bodies, 0.1 ms without them.
      return budget.measureRequest(
        (withMessages) => {
          nowMs += withMessages ? 5 : 0.1;
          return withMessages;
        },
        { route: 'GET /articles', isNotable },
      );
    };

    it('with keepsStructure, shows headers and bodies at first, omits them within a second if they cost too much, and shows them again when few requests arrive', () => {
      const budget = start(20, { windowMs: 1000, keepsStructure: true });
      const startedMs = nowMs;
      const shown = Array.from({ length: 400 }, () => end(budget));
      expect(shown.indexOf(false)).toBeGreaterThan(20);
      expect(nowMs - startedMs).toBeLessThan(1000);
      for (let second = 0; second < 40; second++) {
        nowMs += 1000;
        end(budget);
      }
      expect(end(budget)).toBe(true);
    });

    it('with keepsStructure, always shows the headers and bodies of notable requests, such as failed requests', () => {
      const budget = start(20, { windowMs: 1000, keepsStructure: true });
      for (let index = 0; index < 400; index++) end(budget);
      expect(end(budget)).toBe(false);
      expect(end(budget, true)).toBe(true);
    });

    it('without keepsStructure, always shows headers and bodies', () => {
      const budget = start(1);
      expect(Array.from({ length: 400 }, () => end(budget))).not.toContain(false);
    });
  });

  it('does not change the results or the errors of functions', async () => {
    const { boom, gen, wait } = traced(`
exports.boom = function boom(n) { if (n === 0) throw new TypeError('zero'); return boom(n - 1) };
exports.gen = function* gen() { yield 1; yield 2 };
exports.wait = async function wait() { await null; return 7 };`);
    start(0.001);
    stepMs = 50;
    for (let index = 0; index < 200; index++) {
      const { thrown } = await record(() => boom?.(3));
      expect(thrown).toBeInstanceOf(TypeError);
      const generator: unknown = gen?.();
      expect([...(generator as Iterable<unknown>)]).toEqual([1, 2]);
      expect((await record(() => wait?.())).result).toBe(7);
      expect(hot?.(1)).toBe(2);
      expect(cold?.(1)).toBe(1);
    }
  });
});

describe('the list in a trace of the functions that are recorded less because of the CPU budget', () => {
  const site = (name: string) => ({ name, file: 'a.js', line: 1 });

  it('has a limited length', () => {
    const many = new Map(Array.from({ length: 80 }, (_, index) => [site(`f${index}`), 'off' as const]));
    const said = describeLowered(many);
    expect(said).toMatchObject({ notRecorded: { length: 11, 10: 'and 70 more' } });
    expect(describeLowered(new Map())).toBeUndefined();
  });

  it('contains nothing that looks like a secret, whatever the names of the functions and files', () => {
    const redactor = new Redactor();
    const named: [name: string, file: string][] = [
      ['readToken', 'users/service.js'],
      ['ApiTokenService.getUserForToken', 'services/api-token-service.ts'],
      ['apiKey', 'keys/api-key.js'],
      ['hashPassword', 'db/password.js'],
      ['rows.map() callback', 'cookies.js'],
    ];
    for (const [name, file] of named) {
      const said = describeLowered(new Map([[{ name, file, line: 1200 }, 'structure']]), false);
      const attributes = { 'throughline.cpuBudget': said ?? null };
      expect(redactor.fields(attributes)).toBe(attributes);
    }
  });

  it('begins with the headers and bodies if the SDK omitted them', () => {
    expect(describeLowered(new Map(), false)).toEqual({ withoutValues: ['headers and bodies'] });
    const said = describeLowered(new Map([[site('f'), 'structure']]), false);
    expect(said).toEqual({ withoutValues: ['headers and bodies', 'f in a.js, line 1'] });
  });
});
