import type { TraceRow } from '@throughline/contract';
import { expect, test } from 'vitest';
import { type NewTrace, readNewRows } from './new-traces.ts';

const row = (path: string): TraceRow => ({
  _id: '01900000-0000-7000-8000-000000000000',
  traceId: '0'.repeat(32),
  projectId: 'a',
  request: { method: 'GET', path, route: null },
  response: { statusCode: 200 },
  timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 1 },
  error: { hasError: false, errorMessage: null, errorCode: null },
  service: '',
  environment: '',
  release: '',
  userId: null,
  sessionId: null,
  country: null,
  instance: '',
  stepCount: 0,
});

test('a live feed reads at most a few megabytes of new rows at a time, and only counts the other rows', () => {
  let reads = 0;
  const large = (projectId: string): NewTrace => ({
    projectId,
    read: () => {
      reads += 1;
      return row('x'.repeat(1024 * 1024));
    },
  });
  const { rows, missed } = readNewRows([...Array.from({ length: 10 }, () => large('a')), large('b')]);
  expect(rows).toHaveLength(8);
  expect(reads).toBe(8);
  expect([...missed]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
