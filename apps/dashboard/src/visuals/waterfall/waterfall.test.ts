import { microsToInstant, type Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRepeats } from '../steps/fold-repeats.ts';
import { buildStepForest } from '../steps/step-forest.ts';
import { barsOf } from './entry-bars.ts';
import { overviewBars } from './overview-bars.ts';
import { compressedScale, evenScale, idleStretches, shareAt, ticksOf, wholeTime } from './time-scale.ts';

const BEGIN = 1_767_225_600_000_000n;

function step(
  stepId: string,
  parentStepId: string | null,
  startMs: number,
  duration: number,
  name = stepId,
): Step {
  const start = BEGIN + BigInt(Math.round(startMs * 1000));
  return {
    stepId,
    parentStepId,
    sequence: 0,
    stepName: name,
    stepType: 'function',
    startTime: microsToInstant(start),
    endTime: microsToInstant(start + BigInt(Math.round(duration * 1000))),
    duration,
    functionName: null,
    filePath: null,
    lineNumber: null,
    error: null,
  };
}

const forestOf = (steps: readonly Step[]) => buildStepForest(steps, microsToInstant(BEGIN));
const scaleOf = (steps: readonly Step[], durationMs: number) => {
  const forest = forestOf(steps);
  const whole = wholeTime(forest, durationMs);
  return compressedScale(whole, idleStretches(forest, whole));
};

describe('idle time', () => {
  it.each<[string, Step[], number, [number, number][]]>([
    ['is all of a trace without steps', [], 10, [[0, 10]]],
    ['is none where a step runs throughout', [step('a', null, 0, 10)], 10, []],
    [
      'is before, between and after steps',
      [step('a', null, 1, 2), step('b', null, 5, 2)],
      10,
      [
        [0, 1],
        [3, 5],
        [7, 10],
      ],
    ],
    [
      'is where a caller waits for nothing seen',
      [step('a', null, 0, 10), step('b', 'a', 0, 1), step('c', 'a', 9, 1)],
      10,
      [[1, 9]],
    ],
    [
      'is none under overlapping steps',
      [step('a', null, 0, 6), step('b', null, 1, 2), step('c', null, 5, 5)],
      10,
      [],
    ],
    [
      'counts steps before and after the request',
      [step('a', null, -5, 1), step('b', null, 12, 1)],
      10,
      [[-4, 12]],
    ],
  ])('%s', (_name, steps, durationMs, expected) => {
    const forest = forestOf(steps);
    const idle = idleStretches(forest, wholeTime(forest, durationMs));
    expect(idle.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(expected);
  });

  it('counts a step that stands for many calls from the first to the last of them', () => {
    const calls: Step = {
      ...step('a', null, 0, 8),
      duration: 2,
      repeat: { count: 4, minMs: 0.5, sumMs: 2, maxMs: 0.5 },
    };
    const forest = forestOf([calls]);
    expect(idleStretches(forest, wholeTime(forest, 10))).toEqual([{ fromMs: 8, toMs: 10 }]);
  });
});

describe('a scale', () => {
  it('gives the width to what happened, and a narrow band to a long wait', () => {
    const scale = scaleOf([step('a', null, 0, 10), step('b', null, 990, 10)], 1000);
    expect(scale.map(({ idle }) => idle)).toEqual([false, true, false]);
    expect(shareAt(scale, 10)).toBeCloseTo(0.48);
    expect(shareAt(scale, 990)).toBeCloseTo(0.52);
  });

  it('keeps short waits as they are', () => {
    expect(scaleOf([step('a', null, 0, 95)], 100)).toEqual(evenScale({ fromMs: 0, toMs: 100 }));
  });

  it('keeps time as it is where nothing took any', () => {
    expect(scaleOf([step('a', null, 0, 0)], 100)).toEqual(evenScale({ fromMs: 0, toMs: 100 }));
    expect(shareAt(scaleOf([step('a', null, 0, 0)], 0), 0)).toBe(0);
  });

  const spans = fc.array(fc.tuple(fc.integer({ min: -500, max: 5000 }), fc.integer({ min: 0, max: 3000 })), {
    maxLength: 12,
  });
  it('never goes back, begins at the left and ends at the right', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 0, max: 5000 }), (list, durationMs) => {
        const steps = list.map(([start, duration], index) => step(`s${index}`, null, start, duration));
        const whole = wholeTime(forestOf(steps), durationMs);
        const scale = scaleOf(steps, durationMs);
        expect(scale[0]?.from).toBe(0);
        expect(scale.at(-1)?.to).toBeCloseTo(1);
        let before = 0;
        for (let part = 0; part <= 50; part += 1) {
          const share = shareAt(scale, whole.fromMs + ((whole.toMs - whole.fromMs) * part) / 50);
          expect(share).toBeGreaterThanOrEqual(before - 1e-9);
          expect(share).toBeLessThanOrEqual(1);
          before = share;
        }
        for (const tick of ticksOf(scale, 5)) {
          expect(scale.some(({ idle, fromMs, toMs }) => idle && tick > fromMs && tick < toMs)).toBe(false);
        }
        expect(ticksOf(scale, 5).length).toBeLessThan(8);
      }),
    );
  });

  it('makes nothing that happened narrower than it was', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const steps = list.map(([start, duration], index) => step(`s${index}`, null, start, duration));
        const even = evenScale(wholeTime(forestOf(steps), 100));
        const scale = scaleOf(steps, 100);
        for (const [start, duration] of list) {
          const wide = (of: typeof scale) => shareAt(of, start + duration) - shareAt(of, start);
          expect(wide(scale)).toBeGreaterThanOrEqual(wide(even) - 1e-9);
        }
      }),
    );
  });

  it('has round ticks', () => {
    expect(ticksOf(evenScale({ fromMs: 0, toMs: 1234 }), 5)).toEqual([0, 500, 1000]);
    expect(ticksOf(evenScale({ fromMs: 0, toMs: 0 }), 5)).toEqual([0]);
  });
});

describe('bars', () => {
  it('of a bundle are one for each call that can be told apart', () => {
    const near = Array.from({ length: 4 }, (_, i) => step(`n${i}`, null, i * 0.01, 0.005, 'q'));
    const far = [step('f0', null, 50, 1, 'q'), step('f1', null, 90, 1, 'q')];
    const [fold] = foldRepeats(forestOf([...near, ...far]).roots);
    if (fold === undefined) throw new Error('no bundle');
    const bars = barsOf(fold, evenScale({ fromMs: 0, toMs: 100 }));
    expect(bars).toHaveLength(3);
    expect(bars[1]?.from).toBeCloseTo(0.5);
  });

  it('of an overview are bounded by its pixels, and show every failure', () => {
    const failing = { ...step('bad', null, 500, 0), error: { message: 'x' } };
    const steps = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, null, i / 20, 0.05));
    const forest = forestOf([...steps, failing]);
    const bars = overviewBars(forest, evenScale({ fromMs: 0, toMs: 1000 }), 300, 56);
    expect(bars.length).toBeLessThan(300 * 56);
    expect(bars.at(-1)?.failed).toBe(true);
    for (const { x, y, width, height } of bars) {
      expect(x >= 0 && x + width <= 301 && y >= 0 && y + height <= 56).toBe(true);
    }
    expect(overviewBars(forest, evenScale({ fromMs: 0, toMs: 1000 }), 0, 56)).toEqual([]);
  });
});
