import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeExtent } from '../../steps/analysis/step-extent.ts';
import { aForest, aStep, ran } from '../../steps/step.fixture.ts';
import { buildEvenScale } from '../scale/time-scale.ts';
import { buildOwnBars } from './entry-bars.ts';
import { listOwnStretches } from './own-stretches.ts';

const step = (stepId: string, parentStepId: string | null, startMs: number, duration: number) =>
  aStep(stepId, { parentStepId, ...ran(startMs, duration) });

const listMs = (fromMs: number, toMs: number) =>
  Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index);

describe('the time in which a step itself ran', () => {
  it('is before, between and after its child steps', () => {
    const { byId } = aForest([step('a', null, 0, 10), step('b', 'a', 2, 3), step('c', 'a', 4, 4)]);
    const [a, b] = [byId.get('a'), byId.get('b')];
    expect(a && listOwnStretches(a)).toEqual([
      { fromMs: 0, toMs: 2 },
      { fromMs: 8, toMs: 10 },
    ]);
    expect(b && listOwnStretches(b)).toEqual([{ fromMs: 2, toMs: 5 }]);
  });

  it('is unknown for call aggregates with child steps', () => {
    const calls = { ...step('a', null, 0, 8), repeat: { count: 4, minMs: 1, sumMs: 8, maxMs: 3 } };
    const { byId } = aForest([calls, step('b', 'a', 1, 1)]);
    const a = byId.get('a');
    expect(a && listOwnStretches(a)).toEqual([]);
  });

  it('is unknown for a generator with pauses and child steps; the extent of the generator includes its pauses', () => {
    const generator = { ...step('a', null, 0, 6), endTime: ran(0, 20).endTime };
    const { byId } = aForest([generator, step('b', 'a', 1, 2), step('c', 'a', 17, 1)]);
    const a = byId.get('a');
    expect(a && computeExtent(a)).toEqual({ fromMs: 0, toMs: 20 });
    expect(a && listOwnStretches(a)).toEqual([]);
    expect(a?.selfMs).toBe(3);
  });

  it('is outside the time between the start and the end of a child step with pauses', () => {
    const generator = { ...step('b', 'a', 5, 30), endTime: ran(5, 95).endTime };
    const { byId } = aForest([
      step('a', null, 1, 117),
      generator,
      step('c', 'a', 20, 28),
      step('d', 'a', 66, 29),
      step('e', 'a', 101, 9),
    ]);
    const a = byId.get('a');
    expect(a && listOwnStretches(a)).toEqual([
      { fromMs: 1, toMs: 5 },
      { fromMs: 100, toMs: 101 },
      { fromMs: 110, toMs: 118 },
    ]);
    expect(a?.selfMs).toBe(117 - 30 - 28 - 29 - 9);
  });

  it('is exactly the time in which no child step ran, to the millisecond', () => {
    const times = fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(times, { maxLength: 12 }), (children) => {
        const forest = aForest([
          step('a', null, 0, 30),
          ...children.map(([from, ms], index) => step(`b${index}`, 'a', from, ms)),
        ]);
        const a = forest.byId.get('a');
        if (a === undefined) throw new Error('there is a step');
        const free = listMs(0, 30).filter(
          (ms) => !children.some(([from, length]) => from <= ms && ms < from + length),
        );
        expect(listOwnStretches(a).flatMap(({ fromMs, toMs }) => listMs(fromMs, toMs))).toEqual(free);
        expect(a.selfMs).toBe(free.length);
        const bars = buildOwnBars(
          { kind: 'step', key: a.key, node: a },
          buildEvenScale({ fromMs: 0, toMs: 60 }),
        );
        expect(bars.every(({ from, to }) => from >= 0 && from <= to && to <= 0.5 + 1e-9)).toBe(true);
      }),
    );
  });
});
