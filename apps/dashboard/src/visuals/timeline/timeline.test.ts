import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundleRepeats } from '../steps/analysis/bundle-repeats.ts';
import { aForest, aStep, ran } from '../steps/step.fixture.ts';
import { listTicks } from './axis/ticks.ts';
import { buildBars } from './bars/entry-bars.ts';
import { buildLanes } from './lanes/lanes-data.ts';
import { buildOverviewBars } from './overview/overview-bars.ts';
import {
  buildCompressedScale,
  buildEvenScale,
  findIdleStretches,
  findInstantAt,
  findWholeTime,
  isShown,
  shareAt,
  zoomScale,
} from './scale/time-scale.ts';
import { computeView, moveBy, zoomAt, zoomByFactor, zoomByKey, zoomByWheel } from './scale/zoom.ts';

const step = (
  stepId: string,
  parentStepId: string | null,
  startMs: number,
  duration: number,
  stepName = stepId,
): Step => aStep(stepId, { parentStepId, stepName, ...ran(startMs, duration) });

const buildForest = (steps: readonly Step[]) => aForest(steps);
const buildScale = (steps: readonly Step[], durationMs: number) => {
  const forest = buildForest(steps);
  const whole = findWholeTime(forest, durationMs);
  return buildCompressedScale(whole, findIdleStretches(forest, whole));
};

describe('idle time', () => {
  it.each<[string, Step[], number, [number, number][]]>([
    ['is the entire duration of a trace without steps', [], 10, [[0, 10]]],
    ['does not exist if a step runs throughout', [step('a', null, 0, 10)], 10, []],
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
      "includes a caller's wait for nothing recorded",
      [step('a', null, 0, 10), step('b', 'a', 0, 1), step('c', 'a', 9, 1)],
      10,
      [[1, 9]],
    ],
    [
      'does not exist if steps overlap',
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
    const forest = buildForest(steps);
    const idle = findIdleStretches(forest, findWholeTime(forest, durationMs));
    expect(idle.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(expected);
  });

  it('excludes the time between the first and the last call of a call aggregate', () => {
    const calls: Step = {
      ...step('a', null, 0, 8),
      duration: 2,
      repeat: { count: 4, minMs: 0.5, sumMs: 2, maxMs: 0.5 },
    };
    const forest = buildForest([calls]);
    expect(findIdleStretches(forest, findWholeTime(forest, 10))).toEqual([{ fromMs: 8, toMs: 10 }]);
  });
});

describe('a scale', () => {
  it('gives steps most of the width, and a long wait a narrow band', () => {
    const scale = buildScale([step('a', null, 0, 10), step('b', null, 990, 10)], 1000);
    expect(scale.map(({ idle }) => idle)).toEqual([false, true, false]);
    expect(shareAt(scale, 10)).toBeCloseTo(0.48);
    expect(shareAt(scale, 990)).toBeCloseTo(0.52);
  });

  it('does not compress short waits', () => {
    expect(buildScale([step('a', null, 0, 95)], 100)).toEqual(buildEvenScale({ fromMs: 0, toMs: 100 }));
  });

  it('is proportional to time if no step took time', () => {
    expect(buildScale([step('a', null, 0, 0)], 100)).toEqual(buildEvenScale({ fromMs: 0, toMs: 100 }));
    expect(shareAt(buildScale([step('a', null, 0, 0)], 0), 0)).toBe(0);
  });

  const spans = fc.array(fc.tuple(fc.integer({ min: -500, max: 5000 }), fc.integer({ min: 0, max: 3000 })), {
    maxLength: 12,
  });
  it('is monotonic and covers the full width', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 0, max: 5000 }), (list, durationMs) => {
        const steps = list.map(([start, duration], index) => step(`s${index}`, null, start, duration));
        const whole = findWholeTime(buildForest(steps), durationMs);
        const scale = buildScale(steps, durationMs);
        expect(scale[0]?.from).toBe(0);
        expect(scale.at(-1)?.to).toBeCloseTo(1);
        let before = 0;
        for (let part = 0; part <= 50; part += 1) {
          const share = shareAt(scale, whole.fromMs + ((whole.toMs - whole.fromMs) * part) / 50);
          expect(share).toBeGreaterThanOrEqual(before - 1e-9);
          expect(share).toBeLessThanOrEqual(1);
          before = share;
        }
        const ticks = listTicks(scale, 400);
        for (const { ms } of ticks) {
          expect(scale.some(({ idle, fromMs, toMs }) => idle && ms > fromMs && ms < toMs)).toBe(false);
        }
        expect(ticks.length).toBeLessThan(8);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
      }),
    );
  });

  it('makes no step narrower than on a proportional scale', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const steps = list.map(([start, duration], index) => step(`s${index}`, null, start, duration));
        const even = buildEvenScale(findWholeTime(buildForest(steps), 100));
        const scale = buildScale(steps, 100);
        for (const [start, duration] of list) {
          const wide = (of: typeof scale) => shareAt(of, start + duration) - shareAt(of, start);
          expect(wide(scale)).toBeGreaterThanOrEqual(wide(even) - 1e-9);
        }
      }),
    );
  });
});

describe('bars', () => {
  it('of a bundle merge calls that are too close to be distinguished at this zoom', () => {
    const near = Array.from({ length: 4 }, (_, i) => step(`n${i}`, null, i * 0.01, 0.005, 'q'));
    const far = [step('f0', null, 50, 1, 'q'), step('f1', null, 90, 1, 'q')];
    const [bundle] = bundleRepeats(buildForest([...near, ...far]).roots);
    if (bundle === undefined) throw new Error('no bundle');
    const bars = buildBars(bundle, buildEvenScale({ fromMs: 0, toMs: 100 }));
    expect(bars).toHaveLength(3);
    expect(bars[1]?.from).toBeCloseTo(0.5);
  });

  it('of the overview are at most one per pixel, and show every failure', () => {
    const failing = { ...step('bad', null, 500, 0), error: { message: 'x' } };
    const steps = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, null, i / 20, 0.05));
    const forest = buildForest([...steps, failing]);
    const bars = buildOverviewBars(forest, buildEvenScale({ fromMs: 0, toMs: 1000 }), 300, 56);
    expect(bars.length).toBeLessThan(300 * 56);
    expect(bars.at(-1)?.failed).toBe(true);
    for (const { x, y, width, height } of bars) {
      expect(x >= 0 && x + width <= 301 && y >= 0 && y + height <= 56).toBe(true);
    }
    expect(buildOverviewBars(forest, buildEvenScale({ fromMs: 0, toMs: 1000 }), 0, 56)).toEqual([]);
  });
});

describe('zooming', () => {
  const whole = { fromMs: 0, toMs: 1000 };
  const compressed = buildCompressedScale(whole, [{ fromMs: 200, toMs: 900 }]);

  it('scales the shown range to the full width', () => {
    const scale = zoomScale(buildEvenScale(whole), { fromMs: 250, toMs: 750 });
    expect([250, 500, 750].map((ms) => shareAt(scale, ms))).toEqual([0, 0.5, 1]);
    expect(isShown(scale, { fromMs: 0, toMs: 249 })).toBe(false);
    expect(isShown(scale, { fromMs: 0, toMs: 1000 })).toBe(true);
  });

  it('omits the bars of steps outside the shown range', () => {
    const { roots } = aForest([step('a', null, 0, 10), step('b', null, 500, 10)]);
    const scale = zoomScale(buildEvenScale(whole), { fromMs: 400, toMs: 600 });
    expect(bundleRepeats(roots).map((entry) => buildBars(entry, scale).length)).toEqual([0, 1]);
  });

  it.each([
    ['+', { fromMs: 250, toMs: 750 }],
    ['-', 'all'],
    ['0', 'all'],
    ['>', 'all'],
    ['x', undefined],
  ])('with the key %s shows %j', (key, shown) => {
    const even = buildEvenScale(whole);
    const event = { key, ctrlKey: false, metaKey: false, altKey: false };
    expect(zoomByKey(event, even, even, undefined)).toEqual(shown);
    expect(zoomByKey({ ...event, ctrlKey: true }, even, even, undefined)).toBeUndefined();
  });

  it('keeps the time below the pointer in place, and never shows times before the beginning or after the end', () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    const factors = fc.double({ min: 0.2, max: 5, noNaN: true });
    fc.assert(
      fc.property(shares, factors, factors, fc.boolean(), (place, first, second, compress) => {
        const full = compress ? compressed : buildEvenScale(whole);
        let scale = full;
        for (const by of [1 + first, second]) {
          const before = findInstantAt(scale, place);
          const view = zoomAt(full, scale, by, place);
          scale = view === undefined ? full : zoomScale(full, view);
          expect(scale[0]?.fromMs).toBeGreaterThanOrEqual(0);
          expect(scale.at(-1)?.toMs).toBeLessThanOrEqual(1000 + 1e-9);
          const reachesEnd = (scale[0]?.fromMs ?? 0) < 1e-6 || (scale.at(-1)?.toMs ?? 0) > 1000 - 1e-6;
          if (!reachesEnd) expect(findInstantAt(scale, place)).toBeCloseTo(before, 6);
        }
      }),
    );
  });

  it('with the wheel needs Ctrl, and zooms in when the wheel turns up', () => {
    const even = buildEvenScale(whole);
    const turn = { ctrlKey: true, deltaY: -200, deltaMode: 0, clientX: 150 };
    const axis = { left: 100, width: 100 };
    expect(zoomByWheel({ ...turn, ctrlKey: false }, even, even, axis)).toBeUndefined();
    expect(zoomByWheel(turn, even, even, axis)).toEqual({ fromMs: 250, toMs: 750 });
    expect(zoomByWheel({ ...turn, clientX: 100 }, even, even, axis)).toEqual({ fromMs: 0, toMs: 500 });
    expect(zoomByWheel({ ...turn, deltaY: 200 }, even, even, axis)).toBe('all');
  });

  it.each([
    ['in the middle', { fromMs: 490, toMs: 510 }],
    ['at the start', { fromMs: 0, toMs: 1 }],
    ['at the end', { fromMs: 995, toMs: 1000 }],
    ['longer than the shown range', { fromMs: 100, toMs: 300 }],
  ])('in repeatedly keeps the selected step in view: %s', (_where, about) => {
    const even = buildEvenScale(whole);
    let scale = even;
    for (let times = 0; times < 6; times += 1) {
      const view = zoomByFactor(even, scale, 2, about);
      if (view === undefined) throw new Error('everything is shown');
      scale = zoomScale(even, view);
      expect(isShown(scale, about)).toBe(true);
    }
    expect((scale.at(-1)?.toMs ?? 0) - (scale[0]?.fromMs ?? 0)).toBeCloseTo(1000 / 2 ** 6, 6);
  });

  it('keeps the width of the view when the view moves to a selected step; the view does not move if the step is in view', () => {
    const even = buildEvenScale(whole);
    const scale = zoomScale(even, { fromMs: 100, toMs: 300 });
    expect(computeView(even, scale, { fromMs: 200, toMs: 900 })).toBeUndefined();
    expect(computeView(even, scale, { fromMs: 600, toMs: 610 })).toEqual({ fromMs: 500, toMs: 700 });
    expect(computeView(even, scale, { fromMs: 990, toMs: 1000 })).toEqual({ fromMs: 800, toMs: 1000 });
  });

  it('does not move the view beyond the start and the end of the entire duration', () => {
    const even = buildEvenScale(whole);
    const shown = zoomScale(even, { fromMs: 500, toMs: 750 });
    expect(moveBy(even, shown, 0.5)).toEqual({ fromMs: 625, toMs: 875 });
    expect(moveBy(even, shown, -10)).toEqual({ fromMs: 0, toMs: 250 });
    expect(moveBy(even, shown, 10)).toEqual({ fromMs: 750, toMs: 1000 });
  });

  it('keeps times in order and within the width, and converts positions back to the same times, for any shown range', () => {
    const instants = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(instants, instants, fc.boolean(), fc.array(instants), (a, b, compress, several) => {
        const full = compress ? compressed : buildEvenScale(whole);
        const view = { fromMs: Math.min(a, b), toMs: Math.max(a, b) };
        const scale = zoomScale(full, view);
        const shares = several.toSorted((x, y) => x - y).map((ms) => shareAt(scale, ms));
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(shares[index - 1] ?? 0);
          expect(share).toBeLessThanOrEqual(1);
        }
        if (view.toMs - view.fromMs < 1) return;
        const middle = (view.fromMs + view.toMs) / 2;
        expect(findInstantAt(scale, shareAt(scale, middle))).toBeCloseTo(middle, 6);
        expect(shareAt(scale, view.fromMs)).toBeCloseTo(0, 9);
        expect(shareAt(scale, view.toMs)).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('lanes of services', () => {
  const request = (id: string, service: string, fromMs: number) => ({
    id,
    service,
    name: 'GET /',
    failed: false,
    own: id === 'a',
    fromMs,
    toMs: fromMs + 5,
  });

  it('are ordered by first request, each with its requests in start order', () => {
    const lanes = buildLanes([request('c', 'pay', 9), request('a', 'shop', 0), request('b', 'pay', 2)]);
    expect(lanes.map(({ service, requests }) => [service, ...requests.map(({ id }) => id)])).toEqual([
      ['shop', 'a'],
      ['pay', 'b', 'c'],
    ]);
  });

  it('are left out for a request within one service', () => {
    expect(buildLanes([request('a', 'shop', 0)])).toEqual([]);
  });

  it('widen the time axis to include requests that began earlier or ended later', () => {
    const forest = aForest([]);
    expect(findWholeTime(forest, 10, [{ fromMs: -5, toMs: 30 }])).toEqual({ fromMs: -5, toMs: 30 });
  });
});
