import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, onTestFinished, test } from 'vitest';
import { analysis as comparison } from '../comparison/compare-texts.ts';
import type { ReadTrace } from '../comparison/comparison.ts';
import { readCalls } from '../comparison/read-calls.fixture.ts';
import type { TraceTexts } from '../comparison/trace-texts.ts';
import { type AnalysisOptions, type AnalysisOrder, AnalysisThreads } from './analysis-threads.ts';
import { analysis } from './fixtures/named-thread.ts';

function startThreads(options?: AnalysisOptions): AnalysisThreads {
  const threads = new AnalysisThreads(options);
  onTestFinished(() => threads.close());
  return threads;
}

/** Builds an {@link AnalysisOrder}, by default for a large trace. */
function order<Input>(input: Input, more: Partial<AnalysisOrder<Input>> = {}): AnalysisOrder<Input> {
  return { input, project: 'a', isSmall: false, isGone: () => false, ...more };
}

test('a large trace is analyzed in a worker thread, and a small trace on the main thread', async () => {
  const threads = startThreads();
  expect(await threads.run(analysis, order('large'))).toEqual({ input: 'large', isMainThread: false });
  expect(await threads.run(analysis, order('small', { isSmall: true }))).toMatchObject({
    isMainThread: true,
  });
});

test('if another project has many waiting analyses, an analysis waits only for the running analysis and for one more analysis of the other project', async () => {
  const threads = startThreads();
  const ended: string[] = [];
  const run = async (project: string, input: string) => {
    await threads.run(analysis, order(input, { project }));
    ended.push(input);
  };
  const own = ['a1', 'a2', 'a3', 'a4', 'a5'].map((input) => run('a', input));
  await Promise.all([...own, run('b', 'b1')]);
  expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
});

test('an analysis is not started if its reader disconnects before the start', async () => {
  const threads = startThreads();
  const first = threads.run(analysis, order('first'));
  const gone = threads.run(analysis, order('for ever', { isGone: () => true }));
  const next = threads.run(analysis, order('next'));
  await expect(gone).rejects.toMatchObject({ code: 'overloaded' });
  expect(await Promise.all([first, next])).toMatchObject([{ input: 'first' }, { input: 'next' }]);
});

test('two traces are compared in a worker thread as on the main thread', async () => {
  const toTexts = ({ steps, ...trace }: ReadTrace): TraceTexts => ({
    ...trace,
    texts: steps.map((step) => JSON.stringify(step)),
  });
  const checkOut = (total: number): ReadTrace =>
    readCalls({
      name: 'checkOut',
      calls: [{ name: 'sum', inputs: [[1, 2]], returns: total }],
      returns: total,
    });
  const input = { left: toTexts(checkOut(4)), right: toTexts(checkOut(3)), goods: [], reason: null };
  const compared = await startThreads().run(comparison, order(input));
  expect(compared).toEqual(await comparison.analyze(input));
  expect(compared.statements).not.toEqual([]);
});

describe('after an analysis that', () => {
  test.runIf(isThorough())(
    'takes ten seconds and is refused, the analysis of another project runs in a new thread',
    { timeout: 60_000 },
    async () => {
      const threads = startThreads();
      const startMs = performance.now();
      const endless = threads.run(analysis, order('for ever'));
      const next = threads.run(analysis, order('next', { project: 'b' }));
      await expect(endless).rejects.toThrow('The analysis of this trace took too long.');
      await expect(next).resolves.toMatchObject({ input: 'next' });
      // On a busy machine, ten seconds of processor time take longer than ten seconds.
      expect(performance.now() - startMs).toBeLessThan(40_000);
    },
  );

  test('uses too much processor time and is refused, the next analysis runs in a new thread', async () => {
    const threads = startThreads({ maxCpuMs: 2000 });
    const endless = threads.run(analysis, order('for ever'));
    const next = threads.run(analysis, order('next'));
    await expect(endless).rejects.toMatchObject({ code: 'overloaded' });
    await expect(next).resolves.toMatchObject({ input: 'next' });
  });

  test.each([
    ['fails', 'fail', 'not a function'],
    ['ends its thread', 'exit', 'the thread that analyzes traces ended'],
    ['fills the memory of its thread', 'fill', 'The analysis of this trace needs too much memory.'],
  ])('%s, the next analysis runs', async (_why, input, message) => {
    const threads = startThreads({ maxMemoryMb: 64 });
    const failing = threads.run(analysis, order(input));
    const next = threads.run(analysis, order('next'));
    await expect(failing).rejects.toThrow(message);
    await expect(next).resolves.toMatchObject({ input: 'next' });
  });
});

test('an analysis that waits for the processor is not refused', async () => {
  const threads = startThreads({ maxCpuMs: 3000 });
  await expect(threads.run(analysis, order('wait'))).resolves.toMatchObject({ input: 'wait' });
});

test('closing the analysis threads rejects the running analysis and the waiting analyses', async () => {
  const threads = new AnalysisThreads();
  const orders = [order('for ever'), order('waiting')];
  const analyses = Promise.allSettled(orders.map((each) => threads.run(analysis, each)));
  await threads.close();
  const cancelled = { status: 'rejected', reason: { code: 'overloaded' } };
  expect(await analyses).toMatchObject([cancelled, cancelled]);
});
