import fc from 'fast-check';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
/** Rows start at most {@link HOURS} hours after this time. */
export const BASE_MS = Date.parse('2026-11-20T00:00:00Z');
export const HOURS = 6;

/** The fields of a trace that rollups use. */
export interface Row {
  readonly id: string;
  readonly startMs: number;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly durationMicros: number;
  readonly steps: number;
  readonly user: string;
  readonly heap: number | null;
}

export const aRow = fc
  .record({
    atMs: fc.nat(HOURS * HOUR_MS - 1),
    method: fc.constantFrom('GET', 'post'),
    place: fc.constantFrom(
      { path: '/orders/17', route: '/orders/:id' },
      { path: '/orders/18', route: '' },
      { path: '/', route: '' },
    ),
    status: fc.constantFrom(0, 200, 204, 302, 404, 500),
    durationMicros: fc.integer({ min: 1, max: 5_000_000 }),
    steps: fc.nat(50),
    user: fc.constantFrom('', 'ada', 'grace'),
    heap: fc.option(fc.nat(100)),
  })
  .map(
    ({ atMs, place, ...rest }): Row => ({
      ...rest,
      ...place,
      id: v7({ msecs: BASE_MS + atMs }),
      startMs: BASE_MS + atMs,
    }),
  );

export const isError = ({ status }: Row) => status === 0 || status >= 400;

const COLUMNS = [
  'project_id',
  'start_time',
  'id',
  'id_time_ms',
  'method',
  'path',
  'route',
  'status_code',
  'duration_micros',
  'is_error',
  'service',
  'step_count',
  'user_id',
  'heap_used',
  'stored_at',
] as const;

export async function insertRows(store: TraceStore, project: ProjectId, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const seconds = (ms: number) => (ms / 1000).toFixed(6);
  const lines = rows.map((row) =>
    [
      project,
      seconds(row.startMs),
      row.id,
      row.startMs,
      row.method,
      row.path,
      row.route,
      row.status,
      row.durationMicros,
      Number(isError(row)),
      'shop',
      row.steps,
      row.user,
      row.heap ?? '\\N',
      seconds(Date.now()),
    ].join('\t'),
  );
  await store.insert('traces', COLUMNS, Buffer.from(`${lines.join('\n')}\n`));
}

/** Checks that each percentile differs by at most 1 % from the duration at its nearest rank. */
export function expectNearestRanks(rows: readonly Row[], found: readonly number[] = []) {
  const sorted = rows.map(({ durationMicros }) => durationMicros).sort((a, b) => a - b);
  for (const [place, share] of [0.5, 0.95, 0.99].entries()) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    expect(Math.abs((found[place] ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.01);
  }
}
