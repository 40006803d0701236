import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep, at, ran } from '../step.fixture.ts';
import { bundleRepeats } from './bundle-repeats.ts';
import { findCriticalPath, findCriticalStretches, isCritical, nextOnPath } from './critical-path.ts';
import { computeExtent } from './step-extent.ts';

/** Builds a step from its id, its caller's id, and its start and end in ms. */
const step = (stepId: string, parentStepId: string | null, fromMs: number, toMs: number): Step =>
  aStep(stepId, { parentStepId, ...ran(fromMs, toMs - fromMs), endTime: at(toMs) });

const build = (...flow: Step[]) => aForest(flow);

describe('the critical path', () => {
  const cases: readonly [string, Step[], number, string[]][] = [
    ['of a request without steps is empty', [], 10, []],
    ['of one step is that step', [step('a', null, 2, 8)], 10, ['a 2–8']],
    [
      'goes down into the calls that were awaited',
      [step('a', null, 0, 10), step('b', 'a', 2, 4), step('c', 'a', 5, 9)],
      10,
      ['a 0–2', 'b 2–4', 'a 4–5', 'c 5–9', 'a 9–10'],
    ],
    [
      'takes the parallel call that ended last',
      [step('a', null, 0, 10), step('b', 'a', 1, 6), step('c', 'a', 1, 9)],
      10,
      ['a 0–1', 'c 1–9', 'a 9–10'],
    ],
    [
      'takes the longer of two calls that ended together',
      [step('a', null, 0, 10), step('b', 'a', 5, 9), step('c', 'a', 1, 9)],
      10,
      ['a 0–1', 'c 1–9', 'a 9–10'],
    ],
    ['goes through sequential steps', [step('a', null, 0, 3), step('b', null, 4, 7)], 8, ['a 0–3', 'b 4–7']],
    [
      'counts steps that extend beyond the request only within the request',
      [step('a', null, -5, 20), step('b', 'a', 4, 20)],
      10,
      ['a 0–4', 'b 4–10'],
    ],
    [
      'follows a call that goes on after its caller, up to the end of the request',
      [step('listener', null, 0, 11), step('handle', 'listener', 1, 743), step('load', 'handle', 20, 740)],
      796,
      ['listener 0–1', 'handle 1–20', 'load 20–740', 'handle 740–743'],
    ],
    [
      'follows a promise that a function returns without awaiting it',
      [step('a', null, 0, 100), step('service', 'a', 5, 5.2), step('query', 'service', 5.1, 90)],
      100,
      ['a 0–5', 'service 5–5.1', 'query 5.1–90', 'a 90–100'],
    ],
    [
      'follows a timer that fired after its caller had ended',
      [step('a', null, 0, 2), step('later', 'a', 50, 60)],
      60,
      ['a 0–2', 'later 50–60'],
    ],
    [
      'continues at the caller’s own end if a call that was not awaited ended too late',
      [step('a', null, 0, 100), step('b', 'a', 0, 30), step('log', 'b', 5, 90), step('c', 'a', 30, 100)],
      100,
      ['b 0–30', 'c 30–100'],
    ],
    ['omits steps that took no time', [step('a', null, 5, 5), step('b', null, 1, 2)], 10, ['b 1–2']],
    [
      'tolerates steps that overlap by microseconds',
      [step('a', null, 0, 4.003), step('b', null, 4, 8)],
      8,
      ['a 0–4', 'b 4–8'],
    ],
  ];
  it.each(cases)('%s', (_, flow, durationMs, path) => {
    const found = findCriticalPath(build(...flow), durationMs);
    expect(found.segments.map(({ node, fromMs, toMs }) => `${node.key} ${fromMs}–${toMs}`)).toEqual(path);
  });

  it('includes a call aggregate if its calls fill most of the time from the first call to the last, and otherwise includes the caller of the aggregate', () => {
    const repeat = { count: 10, minMs: 0.1, sumMs: 8, maxMs: 2 };
    const path = (sumMs: number) =>
      findCriticalPath(
        build(step('a', null, 0, 10), {
          ...step('b', 'a', 0, 10),
          duration: sumMs,
          repeat: { ...repeat, sumMs },
        }),
        10,
      ).segments.map(({ node }) => node.key);
    expect(path(8)).toEqual(['b']);
    expect(path(2)).toEqual(['a']);
  });

  it('marks a bundle that contains a step on the path, and can be followed step by step; after the last step comes the first', () => {
    const forest = build(
      step('a', null, 0, 9),
      step('q1', 'a', 0, 3),
      step('q2', 'a', 3, 6),
      step('q3', 'a', 6, 9),
    );
    const path = findCriticalPath(forest, 9);
    const [entry] = bundleRepeats(forest.roots[0]?.children ?? []);
    expect(entry?.kind).toBe('bundle');
    expect(entry && isCritical(entry, path)).toBe(true);
    expect(entry && findCriticalStretches(entry, path).length).toBe(3);
    const first = nextOnPath(path, undefined);
    expect([first?.key, nextOnPath(path, first)?.key]).toEqual(['q1', 'q2']);
    expect(nextOnPath(path, forest.byId.get('q3'))?.key).toBe('q1');
    expect(nextOnPath(findCriticalPath(build(), 1), undefined)).toBeUndefined();
  });

  it('is found in a chain of calls deeper than the JavaScript stack', () => {
    const flow = Array.from({ length: 20_000 }, (_, index) =>
      step(`s${index}`, index === 0 ? null : `s${index - 1}`, 0, 100),
    );
    const path = findCriticalPath(build(...flow), 100);
    expect(path.segments.map(({ node }) => node.key)).toEqual(['s19999']);
    expect(path.steps.size).toBe(20_000);
  });

  it('equals the result of a simple search back from the end, millisecond by millisecond, for any steps', () => {
    const flows = fc.array(
      fc.record({
        parent: fc.nat({ max: 12 }),
        start: fc.integer({ min: -4, max: 24 }),
        duration: fc.nat({ max: 24 }),
      }),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(flows, fc.nat({ max: 30 }), (written, durationMs) => {
        const steps = written.map(({ parent, start, duration }, index) => ({
          name: `s${index}`,
          // A step is called by an earlier step of the list, or by no step.
          parent: parent < index ? `s${parent}` : null,
          start,
          end: start + duration,
        }));
        const forest = build(...steps.map(({ name, parent, start, end }) => step(name, parent, start, end)));
        const owners: (string | undefined)[] = Array.from({ length: durationMs }, () => undefined);
        for (const { node, fromMs, toMs } of findCriticalPath(forest, durationMs).segments) {
          owners.fill(node.key, fromMs, toMs);
        }
        expect(owners).toEqual(walkBack(steps, durationMs));
      }),
      { numRuns: 2000 },
    );
  });

  it("is never longer than the request, does not overlap itself and stays within its steps' times, for any steps", () => {
    const flows = fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: 12 }),
        parent: fc.option(fc.integer({ min: 0, max: 14 })),
        start: fc.integer({ min: -20, max: 60 }),
        duration: fc.integer({ min: 0, max: 60 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(flows, fc.integer({ min: 0, max: 50 }), (flow, durationMs) => {
        const forest = build(
          ...flow.map(({ id, parent, start, duration }) =>
            step(`s${id}`, parent === null ? null : `s${parent}`, start, start + duration),
          ),
        );
        const path = findCriticalPath(forest, durationMs);
        expect(path.totalMs).toBeLessThanOrEqual(durationMs);
        let reached = 0;
        for (const { node, fromMs, toMs } of path.segments) {
          const extent = computeExtent(node);
          expect(toMs).toBeGreaterThan(fromMs);
          expect(fromMs).toBeGreaterThanOrEqual(Math.max(reached, extent.fromMs));
          expect(toMs).toBeLessThanOrEqual(Math.min(durationMs, extent.toMs));
          expect(path.steps.has(node)).toBe(true);
          reached = toMs;
        }
        for (const node of path.steps) {
          expect(node.parent === undefined || path.steps.has(node.parent)).toBe(true);
        }
      }),
    );
  });
});

interface WrittenStep {
  readonly name: string;
  readonly parent: string | null;
  readonly start: number;
  readonly end: number;
}

/**
 * A slow but simple search, to check the fast one. For each millisecond, from the end backwards, finds the step that delayed the request. A
 * caller waited for a call if the call itself, or the last step below it, ended in this millisecond. The wait began when the call began. If
 * the caller waited for several calls, the call that started first counts.
 */
function walkBack(steps: readonly WrittenStep[], durationMs: number): (string | undefined)[] {
  const owners: (string | undefined)[] = Array.from({ length: durationMs }, () => undefined);
  const listCalls = (name: string | null) =>
    steps.filter(({ parent }) => parent === name).sort((a, b) => a.start - b.start);
  const ownEnd = ({ end }: WrittenStep) => Math.min(end, durationMs);
  const lastEnd = (one: WrittenStep): number => {
    const below = listCalls(one.name).filter((call) => lastEnd(call) > Math.max(0, call.start));
    return Math.max(ownEnd(one), ...below.map(lastEnd));
  };
  const waitFor = (name: string | null, from: number, to: number, runsUntil: number) => {
    let at = to;
    while (at > from) {
      const ended = listCalls(name).filter((one) => ownEnd(one) === at || lastEnd(one) === at);
      const begun = ended.map((one) => ({ one, begin: Math.max(one.start, from) }));
      const [first] = begun.filter(({ begin }) => begin < at).sort((a, b) => a.begin - b.begin);
      if (first !== undefined) {
        waitFor(first.one.name, first.begin, at, ownEnd(first.one));
        at = first.begin;
        continue;
      }
      at -= 1;
      if (name !== null && at < runsUntil) owners[at] = name;
    }
  };
  waitFor(null, 0, durationMs, durationMs);
  return owners;
}
