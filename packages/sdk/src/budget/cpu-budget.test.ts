import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record, traced } from '../../test/traced.ts';
import { defaultLimits } from '../record/limits.ts';
import { metering } from '../record/metering.ts';
import { Recording, runRecording } from '../record/recording.ts';
import { CpuBudget } from './cpu-budget.ts';
import { describeLowered } from './lowered.ts';

const { hot, cold, work } = traced(`
function hot(n) { return n + 1 }
function cold(n) { return n }
exports.hot = hot; exports.cold = cold;
exports.work = function work() { let sum = cold(1); for (let i = 0; i < 15; i++) sum = hot(sum); return sum }`);

/** A clock that goes on a little each time it is read, so that whatever is measured takes that long. */
let nowMs: number;
let stepMs: number;
const now = () => {
  nowMs += stepMs;
  return nowMs;
};
let changes: [percent: number, lowered: number][];

function start(percent: number): CpuBudget {
  const budget = new CpuBudget({
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

/** One request; what of it was lowered, and its flow. */
async function request(budget: CpuBudget, fn = work) {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => fn?.());
  const lowered = describeLowered(recording.lowered);
  return { lowered, flow: budget.measureRequest(() => recording.finish()).flow };
}

describe('a budget of CPU time', () => {
  it('that holds changes nothing', async () => {
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

  it('that is used up takes the values of the hottest function first, then the function, and each trace says so', async () => {
    const budget = start(1);
    nowMs += 10_000;
    stepMs = 0.5;
    const seen: unknown[] = [];
    for (let index = 0; index < 400 && changes.length < 6; index++) {
      const { lowered, flow } = await request(budget);
      if (JSON.stringify(lowered) !== JSON.stringify(seen.at(-1))) seen.push(lowered);
      const hots = flow.filter(({ stepName }) => stepName === 'hot');
      // Levels may change within a request: what is missing is said all the same.
      const said = JSON.stringify(lowered) ?? '';
      const complete = hots.length === 15 && hots.every((step) => step.inputs !== undefined);
      expect(complete).toBe(!said.includes('"hot ('));
    }
    expect(changes.length).toBeGreaterThan(0);
    const first = JSON.stringify(seen.find((lowered) => lowered !== undefined));
    expect(first).toContain('hot (src/traced.js:2)');
    expect(JSON.stringify(seen)).toContain('notRecorded');
  });

  it('gives back what it took, where there is room again', async () => {
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

  it('leaves alone what the functions do, and how they fail', async () => {
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

describe('what a trace says', () => {
  const site = (name: string) => ({ name, file: 'a.js', line: 1 });

  it('is bounded', () => {
    const many = new Map(Array.from({ length: 80 }, (_, index) => [site(`f${index}`), 'off' as const]));
    const said = describeLowered(many);
    expect(said).toMatchObject({ notRecorded: { length: 51, 50: 'and 30 more' } });
    expect(describeLowered(new Map())).toBeUndefined();
  });
});
