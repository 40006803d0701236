import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { type PeriodicWork, startPeriodicJob } from './periodic-job.ts';

const log = createLog('silent');
const failure = 'the work failed';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startJob(work: PeriodicWork['work'], options: Partial<PeriodicWork> = {}) {
  return startPeriodicJob({ everyMs: 1_000, work, log, failure, ...options });
}

test('a job runs after each interval until it is closed', async () => {
  const work = vi.fn(async () => {});
  const job = startJob(work);
  await vi.advanceTimersByTimeAsync(999);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_001);
  expect(work).toHaveBeenCalledTimes(3);
  await job.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test('the first run starts immediately if its delay is 0, and otherwise after the delay', async () => {
  const atOnce = vi.fn(async () => {});
  const later = vi.fn(async () => {});
  const jobs = [startJob(atOnce, { firstMs: 0 }), startJob(later, { firstMs: 200 })];
  await vi.advanceTimersByTimeAsync(0);
  expect(atOnce).toHaveBeenCalledTimes(1);
  expect(later).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(later).toHaveBeenCalledTimes(1);
  for (const job of jobs) await job.close();
});

test('a run that lasts longer than the interval ends before the next run starts', async () => {
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const job = startJob(work);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(1);
  ends.shift()?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work).toHaveBeenCalledTimes(2);
  ends.shift()?.();
  await job.close();
});

test('requested runs are executed one after another, and a failed run rejects only its own promise', async () => {
  const order: string[] = [];
  let round = 0;
  const job = startJob(async () => {
    round += 1;
    const name = String(round);
    order.push(`${name} starts`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    order.push(`${name} ends`);
    if (name === '1') throw new Error('no store');
  });
  const first = job.run();
  const second = job.run();
  const refused = expect(first).rejects.toThrow('no store');
  await vi.advanceTimersByTimeAsync(20);
  await refused;
  await second;
  expect(order).toEqual(['1 starts', '1 ends', '2 starts', '2 ends']);
  await job.close();
});

test('a run that fails is logged, and the next run starts after the interval', async () => {
  const warn = vi.spyOn(log, 'warn');
  const work = vi.fn(async () => {
    throw new Error('no store');
  });
  const job = startJob(work);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith({ err: expect.any(Error) }, failure);
  await job.close();
});

test('closing aborts the current run, waits for its end, and rejects later runs', async () => {
  let signalled = false;
  let end = () => {};
  const work = vi.fn(
    (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          signalled = true;
        });
        end = resolve;
      }),
  );
  const job = startJob(work, { firstMs: 0 });
  await vi.advanceTimersByTimeAsync(0);
  const queued = job.trigger();
  let isClosed = false;
  const closing = job.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(signalled).toBe(true);
  expect(isClosed).toBe(false);
  end();
  await closing;
  await queued;
  await expect(job.run()).rejects.toThrow();
  expect(work).toHaveBeenCalledTimes(1);
});
