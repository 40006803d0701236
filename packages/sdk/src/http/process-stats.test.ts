import { beforeAll, expect, test } from 'vitest';
import { measurePerformance, prepareSampling, sampleProcess } from './process-stats.ts';

beforeAll(prepareSampling);

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a request that blocks the event loop shows its CPU time and the delay, even if the request ends before any timer runs', () => {
  const startMs = performance.now();
  const mark = sampleProcess(startMs);
  work(250);
  const { cpuUsage, eventLoopDelay, heapUsed } = measurePerformance(mark, startMs, performance.now());
  expect(cpuUsage).toBeGreaterThan(0);
  expect(eventLoopDelay).toBeGreaterThan(100);
  expect(heapUsed).toBeGreaterThan(1_000_000);
});

test('a request shows the event-loop delay that occurred during the request, even if the delay is measured later, but shows no earlier delay', async () => {
  sampleProcess(performance.now());
  work(150);
  await new Promise((wait) => setTimeout(wait, 50));
  const startMs = performance.now();
  const mark = sampleProcess(startMs);
  const nowMs = performance.now();
  // The delay is never longer than the request, because delay before the request does not count.
  expect(measurePerformance(mark, startMs, nowMs).eventLoopDelay).toBeLessThanOrEqual(
    nowMs - startMs + 0.001,
  );
  work(200);
  await new Promise((wait) => setTimeout(wait, 50));
  expect(measurePerformance(mark, startMs, performance.now()).eventLoopDelay).toBeGreaterThan(100);
});
