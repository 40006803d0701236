import type { CapturedValue } from '@throughline/contract';
import { expect, onTestFinished, test } from 'vitest';
import { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { readCalls } from '../comparison/read-calls.fixture.ts';
import type { TraceTexts } from '../comparison/trace-texts.ts';
import { analyzeInThread } from './analyze-in-thread.ts';

/** Builds a request that has a variable with NaN. It throws `failure` if given, and otherwise returns `rows`. */
function readRows(rows: CapturedValue, failure?: string): TraceTexts {
  const { steps, ...trace } = readCalls({
    name: 'readRows',
    locals: { total: { $type: 'number', value: 'NaN' } },
    ...(failure === undefined ? { returns: rows } : { throws: failure }),
  });
  return { ...trace, texts: steps.map((step) => JSON.stringify(step)) };
}

/** Analyzes a failed request that is compared with a request that returned `rows`. */
async function analyze(rows: CapturedValue) {
  const threads = new AnalysisThreads({ maxMemoryMb: 32 });
  onTestFinished(() => threads.close());
  const compared = { right: readRows(rows), goods: [] };
  const input = { left: readRows([], 'no rows'), usual: null, size: null, compared };
  return analyzeInThread(threads, { input, project: 'a', isGone: () => false });
}

test('if the comparison of a request needs too much memory, the statements that need no comparison are returned', async () => {
  const { ruled, failing } = await analyze(Array.from({ length: 600_000 }, () => ({})));
  expect(ruled.map(({ rule }) => rule)).toEqual(['not_a_number']);
  expect(failing).toBe('1');
});
