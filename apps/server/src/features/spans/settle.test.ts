import { storesOfFile } from '@throughline/testkit/stores';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { hashOfPair, type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { encodeSpan } from './encode-span.ts';
import { stepsOf } from './read.ts';
import { updateRequests } from './requests-store.ts';
import { createSettling, type Settling } from './settle.ts';
import { insertSpans, type TraceKey } from './store.ts';

const stores = storesOfFile();
let store: TraceStore;
let settling: Settling | undefined;
beforeAll(() => {
  store = stores.traces;
});
afterEach(() => settling?.close());

const START_NANOS = BigInt(Date.now()) * 1_000_000n;
const newKey = (): TraceKey => ({ projectId: newId<ProjectId>(), traceId: 'ab'.repeat(16) });
/** Whoever rolls up is not there. */
const changing = async () => () => {};
const idOf = (id: number) => id.toString(16).padStart(16, '0');

/** Stores spans, each by its id and its parent's, at the instant `stored`. */
async function put(
  key: TraceKey,
  spans: readonly (readonly [id: number, parent: number])[],
  stored = new Date(),
) {
  const rows = spans.map(([id, parent]) =>
    encodeSpan(
      {
        traceId: key.traceId,
        spanId: idOf(id),
        parentSpanId: idOf(parent),
        entry: false,
        service: 'shop',
        name: `span ${id}`,
        type: 'custom',
        startNanos: String(START_NANOS + BigInt(id)),
        durationNanos: '1000',
        statusCode: 500,
        hasError: true,
        functionName: '',
        filePath: '',
        lineNumber: undefined,
        error: '{"message":"broken"}',
        metadata: '{"a":1}',
        captured: '',
        resource: '{}',
      },
      key.projectId,
      (stored.getTime() / 1000).toFixed(6),
    ),
  );
  await insertSpans(store, [Buffer.from(rows.join(''))]);
}

const requests = ({ projectId }: TraceKey) =>
  store.lines(
    `SELECT concat(span_id, ' ', path, ' ', toString(step_count), ' ', error_message, ' ', attributes) FROM traces
     WHERE project_id = {project:UUID}`,
    { project: projectId },
  );
const searchedBy = ({ projectId }: TraceKey) =>
  store.lines(
    `SELECT concat(toString(attribute_pairs), ' ', toString(attributes_whole)) FROM traces WHERE project_id = {project:UUID}`,
    { project: projectId },
  );
/** Nothing is waited for. */
const due = { quietMs: 0 };

describe('a trace whose request never came', () => {
  const rows = [`${idOf(2)} span 2 2 broken {"a":1}`];
  const settle = async (
    key: TraceKey,
    given: { readonly promoteAfterMs?: number; readonly claim?: () => Promise<boolean> } = {},
  ) => {
    settling = createSettling(
      { store, log: createLog('error'), claim: given.claim ?? (async () => true), changing },
      { ...due, promoteAfterMs: given.promoteAfterMs ?? 0 },
    );
    settling.touched([key]);
    await settling.run();
    await settling.close();
  };

  test('gets one of its topmost span, once', async () => {
    const key = newKey();
    await put(key, [
      [4, 2],
      [2, 1],
      [3, 2],
    ]);
    await settle(key, { promoteAfterMs: 60_000 });
    expect(await requests(key)).toEqual([]);
    await settle(key);
    expect(await requests(key)).toEqual(rows);
    await settle(key);
    expect(await requests(key)).toEqual(rows);
    expect(await searchedBy(key)).toEqual([`[${hashOfPair('a', '1')}] true`]);
    const steps = await stepsOf(store, { ...key, spanId: idOf(2) });
    expect(steps.map(({ spanId }) => spanId)).toEqual([idOf(3), idOf(4)]);
  });

  test('gets none while the month has no room for it', async () => {
    const key = newKey();
    await put(key, [[2, 1]]);
    await settle(key, { claim: async () => false });
    expect(await requests(key)).toEqual([]);
  });

  test('has its count corrected when more spans come, even those that a server stored right before it crashed', async () => {
    const key = newKey();
    await put(key, [
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    await settle(key);
    await put(key, [[5, 4]], new Date(Date.now() + 1000));
    expect(await requests(key)).toEqual(rows);
    // Nobody says what was touched: a new start finds it.
    const again = createSettling(
      { store, log: createLog('error'), claim: async () => true, changing },
      { ...due, promoteAfterMs: 0 },
    );
    settling = again;
    await expect
      .poll(async () => {
        await again.run();
        return requests(key);
      })
      .toEqual([`${idOf(2)} span 2 3 broken {"a":1}`]);
  });
});

test('many requests are corrected at once, each by what is its own', async () => {
  const projectId = newId<ProjectId>();
  const requests = Array.from({ length: 1500 }, (_, index) => ({
    projectId,
    id: newId<ProjectId>(),
    stepCount: index % 2 === 0 ? index : undefined,
    attributes: index % 3 === 0 ? undefined : { names: [String(index)], pairs: ['7', String(index)] },
  }));
  const rows = requests.map(
    ({ id }) => `${projectId}\t${(Date.now() / 1000).toFixed(6)}\t${id}\t${timeOfTraceId(id)}\t{}\n`,
  );
  await store.insert(
    'traces',
    ['project_id', 'start_time', 'id', 'id_time_ms', 'attributes'],
    Buffer.from(rows.join('')),
  );
  await updateRequests(store, requests);
  const stored = await store.lines(
    `SELECT concat(toString(id), ' ', toString(step_count), toString(attribute_names), toString(attribute_pairs), toString(attributes_whole))
     FROM traces WHERE project_id = {project:UUID}`,
    { project: projectId },
  );
  const expected = requests.map(({ id, stepCount, attributes }) => {
    const { names, pairs } = attributes ?? { names: [], pairs: [] };
    return `${id} ${stepCount ?? 0}[${names}][${[...new Set(pairs)]}]${attributes !== undefined}`;
  });
  expect(stored.sort()).toEqual(expected.sort());
});
