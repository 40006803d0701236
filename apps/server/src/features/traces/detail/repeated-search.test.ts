import { expect, test, vi } from 'vitest';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { LARGE_TRACES, MAX_SMALL_BYTES, ReadingPlaces } from './reading-places.ts';
import { createStepSearch } from './search-steps.ts';

const trace = {
  id: '01973000-0000-7000-8000-000000000001',
  project_id: '01973000-0000-7000-8000-000000000002',
  trace_id: '',
  span_id: '',
  has_spans: false,
  step_count: 50,
  stored_micros: 0n,
};
const readStep = () => ({ stepId: '1', stepName: 'load', inputs: null, error: null }) as never;

test('concurrent searches of a large trace try only once to read the trace in one piece', async () => {
  let tries = 0;
  const lines: TraceStore['lines'] = async (sql, params = {}) => {
    if (sql.includes(`max_result_bytes = ${MAX_SMALL_BYTES}`)) {
      tries += 1;
      throw new Error('TOO_MANY_ROWS_OR_BYTES');
    }
    const count = Number(params.until) - Number(params.from);
    return Array.from({ length: count }, () => '{}');
  };
  const search = createStepSearch(
    { lines } as Partial<TraceStore> as TraceStore,
    new ReadingPlaces(LARGE_TRACES),
  );
  const found = await Promise.all(
    Array.from({ length: 4 }, () =>
      search(trace, { text: 'nowhere', from: 0 }, { owner: 'ann', readStep, isGone: () => false }),
    ),
  );
  expect(found).toEqual(Array(4).fill({ hits: [], steps: 50, searched: 50, next: null }));
  expect(tries).toBe(1);
});

test('the searches of one reader in a project run one after the other, and no other search waits for them', async () => {
  const started: unknown[] = [];
  const ends: (() => void)[] = [];
  const gone = new Set<string>();
  const lines: TraceStore['lines'] = async (_sql, params = {}) => {
    started.push(params.trace);
    await new Promise<void>((resolve) => ends.push(resolve));
    return ['{}'];
  };
  const search = createStepSearch(
    { lines } as Partial<TraceStore> as TraceStore,
    new ReadingPlaces(LARGE_TRACES),
  );
  const searchAs = (owner: string, id: string, project_id = trace.project_id) =>
    search(
      { ...trace, id, project_id, step_count: 1 },
      { text: 'nowhere', from: 0 },
      { owner, readStep, isGone: () => gone.has(id) },
    );
  const found = Promise.all([
    searchAs('ann', 'a1'),
    searchAs('ann', 'a2'),
    searchAs('ann', 'a3'),
    searchAs('bob', 'b1'),
    searchAs('ann', 'o1', 'another project'),
  ]);
  await vi.waitFor(() => expect(started).toEqual(['a1', 'b1', 'o1']));
  // Nothing is read for a reader who disconnected while waiting.
  gone.add('a2');
  ends[0]?.();
  await vi.waitFor(() => expect(started).toEqual(['a1', 'b1', 'o1', 'a3']));
  for (const end of ends) end();
  await expect(found).resolves.toHaveLength(5);
});
