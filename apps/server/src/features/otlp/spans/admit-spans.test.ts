import { routes } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';
import { PROTOBUF_TYPE, postSpans } from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { createId, type ProjectId, type UserId } from '../../../platform/ids.ts';
import { NeedsWorker } from '../../ingest/index.ts';
import { encodeRequest, field, keyValue, repeat, spanFields } from '../fixtures/wire.ts';
import { admitSpans, PROTOBUF } from './admit-spans.ts';

const scene = sceneOfEachTest();

const buildTraceId = (id: number) => id.toString(16).padStart(32, '0');
/** Builds a request of `count` spans; `encode` returns the fields of a span. */
const encodeSpans = (count: number, encode: (id: number) => Buffer) =>
  encodeRequest(...Array.from({ length: count }, (_span, index) => field(2, encode(index + 1))));
/** A span with `count` attributes. */
const withValues = (id: number, count: number) =>
  spanFields(id, { more: repeat(field(9, keyValue('k', '')), count) });

/** For each kind of content (such as spans or values): the largest body that is read on the event loop, and a body with one item more. */
const BODIES: readonly (readonly [parts: string, largest: Buffer, larger: Buffer])[] = [
  [
    '1,000 traces',
    encodeSpans(1000, (id) => spanFields(id, { traceId: buildTraceId(id) })),
    encodeSpans(1001, (id) => spanFields(id, { traceId: buildTraceId(id) })),
  ],
  ['4,000 spans', encodeSpans(4000, (id) => spanFields(id)), encodeSpans(4001, (id) => spanFields(id))],
  [
    '40,000 values',
    encodeSpans(400, (id) => withValues(id, 100)),
    encodeSpans(400, (id) => withValues(id, id === 1 ? 101 : 100)),
  ],
];

function admit(body: Buffer, onEventLoop: boolean) {
  const account = { accountId: createId<UserId>(), plan: 'pro', kind: 'solo' } as const;
  const none = { accessEndsAt: null, settings: undefined, redaction: undefined };
  return admitSpans(Buffer.from(body), PROTOBUF, {
    project: { projectId: createId<ProjectId>(), ...account, ...none, periodAnchor: new Date(0) },
    redactor: new Redactor(),
    nowMicros: BigInt(Date.now()) * 1000n,
    batchKey: undefined,
    isCounted: false,
    onEventLoop,
    fullTraces: new Set(),
    onFailure: () => {},
  });
}

describe('a small body with many spans, values or traces', () => {
  test.runIf(isThorough()).each(pickRows(BODIES, { usually: 1 }))(
    'is read on the event loop if it has no more than %s',
    async (_parts, largest, larger) => {
      await admit(largest, true);
      await expect(admit(larger, true)).rejects.toThrow(NeedsWorker);
      await admit(larger, false);
    },
  );

  test('is stored completely if it has so many spans that a worker thread reads it', async () => {
    const body = encodeSpans(1020, (id) => spanFields(id, { traceId: buildTraceId(id) }));
    const reply = await postSpans(scene.server, scene.project.apiKey, new Uint8Array(body), {
      'content-type': PROTOBUF_TYPE,
    });
    expect(reply.status).toBe(200);
    const { total } = await scene.person.client.call(routes.traces.list, {
      query: { projectId: scene.project.id, limit: 1 },
    });
    expect(total).toBe(1020);
  });
});

test('spans with one id become one row and one request, even if there are thousands', async () => {
  const sent = [spanFields(1), spanFields(2, { parent: 1 })].map((span) => repeat(field(2, span), 2000));
  const { traces, spans } = await admit(encodeRequest(...sent), true);
  expect(traces).toHaveLength(1);
  expect(spans.map(({ links, rows }) => [links.length, rows.toString().trim().split('\n').length])).toEqual([
    [2, 2],
  ]);
});
