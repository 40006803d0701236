import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import type { Batch, SpanGroup } from '../batch/batch.ts';
import { type BatchAnswer, countRejections } from '../batch/batch-answer.ts';
import { boundSpans } from './bound-spans.ts';

const projectId = createId<ProjectId>();
const group = (traceId: string, count: number): SpanGroup => {
  const ids = Array.from({ length: count }, (_span, index) => `${traceId}${index}`);
  return {
    key: { projectId, traceId },
    links: ids.map((spanId) => ({ spanId, parentSpanId: '', entry: false, service: 'shop', startNanos: 1n })),
    facts: new Map(ids.map((spanId) => [spanId, { names: [], pairs: [], kind: '' }])),
    rows: Buffer.from(ids.map((spanId) => `${spanId}\n`).join('')),
  };
};
const answer: BatchAnswer = { accepted: 0, rejected: [], unlisted: new Map() };
const batch = (spans: readonly SpanGroup[]): Batch => ({
  key: undefined,
  // The project has only an id, because `boundSpans` reads no other field of the project.
  project: { projectId } as Batch['project'],
  traces: [],
  spans,
  fullTraces: [],
  answer,
});
const rejected = ({ answer }: Batch) => countRejections(answer).get('limit_reached') ?? 0;

test('the spans of all requests of a group commit are stored up to the limit of their trace; further spans are only counted', () => {
  const sent = [batch([group('a', 2), group('b', 1)]), batch([group('a', 5)])];
  const { batches, refused } = boundSpans({ room: () => 3, admits: () => true }, sent);
  expect(batches.map(({ spans }) => spans.map(({ rows }) => String(rows)))).toEqual([
    ['a0\na1\n', 'b0\n'],
    ['a0\n'],
  ]);
  expect(batches.map(({ spans }) => spans.map(({ links, facts }) => [links.length, facts.size]))).toEqual([
    [
      [2, 2],
      [1, 1],
    ],
    [[1, 1]],
  ]);
  expect(batches.map(rejected)).toEqual([0, 4]);
  expect(batches[1]?.answer.rejected[0]?.message).toContain('limit traceSpans');
  expect(refused).toEqual([{ projectId, traceId: 'a' }]);
});

test("spans beyond a project's limit of open traces are counted and not stored", () => {
  const sent = [batch([group('a', 2), group('b', 3), group('c', 1)])];
  const { batches } = boundSpans({ room: () => 100, admits: (_key, more) => more < 2 }, sent);
  expect(batches[0]?.spans.map(({ key }) => key.traceId)).toEqual(['a', 'b']);
  expect(batches.map(rejected)).toEqual([1]);
  expect(batches[0]?.answer.rejected[0]?.message).toContain('limit openTraces');
});
