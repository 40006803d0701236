import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { SettleQueue } from './settle-queue.ts';
import { SpanAllowances } from './span-allowances.ts';
import { formatKey, type TraceKey } from './store.ts';
import { TraceSizes } from './trace-sizes.ts';

const USUAL = { quietMs: 1500, promoteAfterMs: 60_000 };
const buildKey = (projectId: ProjectId, trace: number): TraceKey => ({
  projectId,
  traceId: trace.toString(16).padStart(32, '0'),
});

function buildQueue() {
  const sizes = new TraceSizes();
  const allowances = new SpanAllowances();
  return { sizes, allowances, queue: new SettleQueue(sizes, allowances, USUAL) };
}

/** Sends 100 spans for one trace every 100 ms, assembles due traces, and counts the spans read. */
function readWhileSent(sends: number): number {
  const { sizes, queue } = buildQueue();
  const key = buildKey(createId<ProjectId>(), 1);
  const name = formatKey(key);
  sizes.setCounted(name, { rows: 50_000, spans: 50_000 }, 0);
  let read = 0;
  for (let nowMs = 0; nowMs < sends * 100; nowMs += 100) {
    sizes.addSpans(name, 100);
    queue.touched(key, nowMs);
    for (const { trace } of queue.due(nowMs)) {
      const size = sizes.find(name);
      read += size.spans;
      sizes.setCounted(name, size, nowMs);
      queue.settled(trace, { isOpen: false });
    }
  }
  return read;
}

test('a trace that constantly gets spans is read at a limited rate, however many requests bring the spans', () => {
  const once = readWhileSent(500);
  expect(once).toBeGreaterThan(0);
  // Allows 10,000 spans per second for 50 s.
  expect(once).toBeLessThanOrEqual(500_000);
  expect(readWhileSent(250) * 2).toBeGreaterThanOrEqual(once * 0.5);
});

test('a large trace that gets more spans is assembled again only after a pause that grows with its number of spans', () => {
  for (const [spans, pauseMs] of [
    [50_000, 5000],
    [100_000, 10_000],
  ] as const) {
    const { sizes, queue } = buildQueue();
    const key = buildKey(createId<ProjectId>(), 1);
    sizes.setCounted(formatKey(key), { rows: spans, spans }, 0);
    queue.touched(key, 0);
    expect(queue.due(pauseMs - 1)).toEqual([]);
    expect(queue.due(pauseMs)).toHaveLength(1);
  }
});

test('a trace is assembled even if new spans arrive more often than the quiet period', () => {
  const { queue } = buildQueue();
  const key = buildKey(createId<ProjectId>(), 1);
  let settled = 0;
  for (let nowMs = 0; nowMs < 60_000; nowMs += 1000) {
    queue.touched(key, nowMs);
    settled += queue.due(nowMs).length;
  }
  expect(settled).toBeGreaterThan(0);
});

test('projects take turns, and no project is read beyond its share', () => {
  const { sizes, queue } = buildQueue();
  const [large, small] = [createId<ProjectId>(), createId<ProjectId>()];
  for (let trace = 0; trace < 1000; trace += 1) {
    sizes.setCounted(formatKey(buildKey(large, trace)), { rows: 1000, spans: 1000 }, 0);
    queue.touched(buildKey(large, trace), 0);
  }
  queue.touched(buildKey(small, 1), 0);
  const due = queue.due(200_000);
  const place = due.findIndex(({ trace }) => trace.key.projectId === small);
  expect([0, 1]).toContain(place);
  expect(due.length).toBeLessThan(300);
  // The remaining traces are assembled later.
  expect(queue.due(205_000).length).toBeGreaterThan(0);
});

test('a project that used up its allowance for another purpose waits longer until its traces are assembled', () => {
  const { allowances, queue } = buildQueue();
  const [counted, other] = [createId<ProjectId>(), createId<ProjectId>()];
  for (const project of [counted, other]) queue.touched(buildKey(project, 1), 0);
  allowances.charge(counted, 300_000);
  expect(queue.due(2000).map(({ trace }) => trace.key.projectId)).toEqual([other]);
  expect(queue.due(6000).map(({ trace }) => trace.key.projectId)).toContain(counted);
});

test('a trace without a request is read again only after a minute', () => {
  const { queue } = buildQueue();
  const key = buildKey(createId<ProjectId>(), 1);
  queue.touched(key, 0);
  const [first] = queue.due(1500);
  if (first === undefined) throw new Error('nothing is due');
  queue.settled(first.trace, { isOpen: true });
  for (let nowMs = 1500; nowMs < 60_000; nowMs += 1500) expect(queue.due(nowMs)).toEqual([]);
  expect(queue.due(60_000)).toHaveLength(1);
});

test('if a project has too many traces that wait for their request, the oldest traces are due without waiting', () => {
  const { queue } = buildQueue();
  const project = createId<ProjectId>();
  for (let trace = 0; trace < 50_010; trace += 1) queue.open(buildKey(project, trace), 0);
  const due = queue.due(10);
  expect(due.map(({ trace }) => trace.key)).toEqual(
    Array.from({ length: 10 }, (_trace, index) => buildKey(project, index)),
  );
  expect(due.every(({ isCrowded }) => isCrowded)).toBe(true);
  expect(queue.admits(buildKey(project, 60_000), 49_989)).toBe(true);
  expect(queue.admits(buildKey(project, 60_000), 49_990)).toBe(false);
  expect(queue.admits(buildKey(project, 1), 49_990)).toBe(true);
});
