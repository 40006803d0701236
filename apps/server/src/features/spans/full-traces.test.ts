import { TRACE_LIMITS } from '@throughline/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { FullTraces } from './full-traces.ts';
import { SpanAllowances } from './span-allowances.ts';
import { formatKey, type TraceKey } from './store.ts';
import { TraceSizes } from './trace-sizes.ts';

const MAX = TRACE_LIMITS.traceSpans.max;
const key = { projectId: createId<ProjectId>(), traceId: 'ab'.repeat(16) };

let sizes: TraceSizes;
let allowances: SpanAllowances;
let full: FullTraces;
beforeEach(() => {
  sizes = new TraceSizes();
  allowances = new SpanAllowances();
  full = new FullTraces(sizes, allowances, 1000);
});

function setSpans(spans: number, nowMs: number): void {
  sizes.setCounted(formatKey(key), { rows: spans, spans }, 0);
  full.changed(key, nowMs);
}

describe('a trace', () => {
  test('is full once it has the maximum number of spans, and only in its own project', () => {
    setSpans(MAX - 1, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set());
    sizes.addSpans(formatKey(key), 1);
    full.changed(key, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set([key.traceId]));
    expect(full.idsOf(createId<ProjectId>())).toEqual(new Set());
  });

  test('is no longer full after a query found fewer spans', () => {
    setSpans(MAX, 0);
    setSpans(7, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set());
  });

  test('is counted again after spans were rejected, but not for each rejection', () => {
    setSpans(MAX, 0);
    full.rejected([key], 999);
    expect(full.takeDue(10, 999)).toEqual([]);
    for (let sent = 0; sent < 100; sent += 1) full.rejected([key], 1000);
    expect(full.takeDue(10, 1000)).toEqual([key]);
    full.rejected([key], 1999);
    expect(full.takeDue(10, 1999)).toEqual([]);
    full.rejected([key], 2000);
    expect(full.takeDue(10, 2000)).toEqual([key]);
  });

  test('is not counted again if its number of spans falls below the maximum before its turn to be counted', () => {
    setSpans(MAX, 0);
    full.rejected([key], 1000);
    setSpans(7, 1000);
    expect(full.takeDue(10, 1000)).toEqual([]);
  });
});

/** Fills traces of a new project. Returns their keys. */
function fillTraces(count: number): TraceKey[] {
  const projectId = createId<ProjectId>();
  const keys = Array.from({ length: count }, (_trace, index) => ({
    projectId,
    traceId: index.toString(16).padStart(32, '0'),
  }));
  for (const filled of keys) {
    sizes.addSpans(formatKey(filled), MAX);
    full.changed(filled, 0);
  }
  return keys;
}

test('a request checks only the full traces of its own project', () => {
  for (let project = 0; project < 50; project += 1) fillTraces(20);
  const [own] = fillTraces(1);
  if (own === undefined) throw new Error('no trace is full');
  const looks = vi.spyOn(sizes, 'findRoom');
  expect(full.idsOf(own.projectId)).toEqual(new Set([own.traceId]));
  expect(looks).toHaveBeenCalledTimes(1);
});

test('if a project has more than 1,000 full traces, the server remembers the last 1,000 of them, and all full traces of other projects', () => {
  const other = fillTraces(3);
  const keys = fillTraces(1500);
  const [first] = keys;
  if (first === undefined || other[0] === undefined) throw new Error('no trace is full');
  expect([...full.idsOf(first.projectId)]).toEqual(keys.slice(500).map(({ traceId }) => traceId));
  expect(full.idsOf(other[0].projectId).size).toBe(3);
  full.rejected(keys, 1000);
  expect(full.takeDue(10, 1000)).toEqual([keys[500]]);
});

test('projects take turns when their full traces are counted again', () => {
  const keys = [2, 2, 1].flatMap(fillTraces);
  full.rejected(keys, 1000);
  const counted = [1, 2, 3].flatMap(() => full.takeDue(1, 1000));
  expect(new Set(counted.map(({ projectId }) => projectId)).size).toBe(3);
});

test('the full traces of a project are counted again no faster than the allowance of the project permits', () => {
  const many = fillTraces(50);
  const one = fillTraces(1);
  const counted: ProjectId[] = [];
  for (let nowMs = 1000; nowMs <= 101_000; nowMs += 1500) {
    allowances.refill(nowMs);
    full.rejected([...many, ...one], nowMs);
    counted.push(...full.takeDue(2, nowMs).map(({ projectId }) => projectId));
  }
  const ofOne = counted.filter((projectId) => projectId === one[0]?.projectId).length;
  const ofMany = counted.length - ofOne;
  // The allowance is 200,000 spans at first, and 40,000 more per second. In 100 s, this suffices to count a trace of 100,000 spans 42
  // times; the last count can exceed the allowance.
  expect(ofMany).toBeGreaterThan(20);
  expect(ofMany).toBeLessThanOrEqual(43);
  expect(ofOne).toBeGreaterThan(20);
});
