import { routes, type Trace } from '@throughline/contract';
import { postBody, type TestServer } from '@throughline/testkit';
import {
  JSON_TYPE,
  type OtlpRequest,
  otlpProtobuf,
  PROTOBUF_TYPE,
  postSpans,
} from '@throughline/testkit/otlp';
import { newcomer, serverOfFile } from '@throughline/testkit/scene';
import {
  generateOrdinaryValues,
  generateSecrets,
  type IngestEnvelope,
  type PlacedItem,
  placeInSpans,
  placeInTraces,
  readableText,
  type SecretItem,
  SecretSearch,
  showsOrdinary,
} from '@throughline/testkit/secrets';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { openUnmigrated } from '../../platform/trace-store/index.ts';

const PER_BODY = 150;
/** Number of items sent per account. A new account's plan includes 1,000 traces, and each item is sent twice: as a trace and as a span. */
const PER_ACCOUNT = 450;
const AT_ONCE = 16;
const MINUTE_MS = 60_000;

const COUNT = repetitions({ usually: 40, thoroughly: 10_000 });
const MAX_MS = repetitions({ usually: 2, thoroughly: 40 }) * MINUTE_MS;
const SEED = 11;

const file = serverOfFile();

test(
  "no secret is readable in a stored row or a response, whatever the secret's field, name, text or encoding",
  async () => {
    expect(await findReadableAtRest(file.server, SEED, COUNT)).toEqual([]);
  },
  MAX_MS,
);

test(
  'at most one in a hundred ordinary values is redacted in responses',
  async () => {
    const hidden = await findHiddenInAnswers(file.server, SEED, COUNT);
    expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(COUNT / 100);
  },
  MAX_MS,
);

type Account = Awaited<ReturnType<typeof newcomer>>;

const described = (item: PlacedItem) => `${item.form}, in ${item.where}`;

/** Sends each secret twice: in its own trace, and as a span. Returns the secrets that can be read afterwards in a row or a response. */
async function findReadableAtRest(server: TestServer, seed: number, count: number): Promise<string[]> {
  const secrets = generateSecrets(seed, count);
  const search = new SecretSearch(secrets);
  const found = new Set<string>();
  const searchIn = (text: string, where: string) => {
    for (const item of search.find(text)) found.add(`${described(item)}, readable in ${where}`);
  };
  for (const some of chunks(secrets, PER_ACCOUNT)) {
    const account = await newcomer(server);
    await sendTraces(server, account, some);
    await sendAsSpans(server, account, some);
    for await (const trace of exported(account)) searchIn(readableText(trace), 'the export');
    searchIn(
      readableText(await account.person.client.call(routes.traces.list, { query: { limit: 200 } })),
      'the list',
    );
    searchIn(
      readableText(await account.person.client.call(routes.traces.facets, { query: {} })),
      'the facets',
    );
  }
  for await (const { table, text } of storedRows(server)) searchIn(text, `the table ${table}`);
  return [...found];
}

/** Sends each ordinary value in its own trace. Returns the values that the API does not show, because the server redacted them. */
async function findHiddenInAnswers(server: TestServer, seed: number, count: number): Promise<string[]> {
  const hidden: string[] = [];
  for (const some of chunks(generateOrdinaryValues(seed, count), PER_ACCOUNT)) {
    const account = await newcomer(server);
    await sendTraces(server, account, some);
    const items = new Map(some.map((item) => [item.id, item]));
    for await (const trace of exported(account)) {
      const item = items.get(String(trace.attributes?.['item.id']));
      if (item === undefined) continue;
      items.delete(item.id);
      if (!showsOrdinary(readableText(trace), item)) hidden.push(described(item));
    }
    expect([...items.keys()]).toEqual([]);
  }
  return hidden;
}

function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/**
 * Sends several bodies at a time. A trace with an item in a field of the service is sent in a separate body, because all traces of a body
 * share one service.
 */
async function sendTraces(
  server: TestServer,
  { project }: Account,
  items: readonly PlacedItem[],
): Promise<void> {
  const send = async (body: IngestEnvelope) => {
    const { body: answer } = await postBody(server, project.apiKey, JSON.stringify(body));
    expect(answer).toMatchObject({ accepted: body.traces.length, rejected: [] });
  };
  for (const bodies of chunks(placeInTraces(items, PER_BODY), AT_ONCE)) await Promise.all(bodies.map(send));
}

let sent = 0;

async function sendAsSpans(
  server: TestServer,
  { project }: Account,
  secrets: readonly SecretItem[],
): Promise<void> {
  const start = BigInt(Date.now() - MINUTE_MS) * 1_000_000n;
  for (const [index, some] of [...chunks(secrets, PER_BODY)].entries()) {
    const { request } = placeInSpans(some, start, sent);
    sent += some.length;
    const asProtobuf = index % 2 === 0;
    const { status, bytes } = await postSpans(server, project.apiKey, ...encode(request, asProtobuf));
    expect([status, bytes.toString()]).toEqual([200, asProtobuf ? '' : '{}']);
  }
}

function encode(
  request: OtlpRequest,
  asProtobuf: boolean,
): [string | Buffer<ArrayBuffer>, { 'content-type': string }] {
  return asProtobuf
    ? [otlpProtobuf(request), { 'content-type': PROTOBUF_TYPE }]
    : [JSON.stringify(request), { 'content-type': JSON_TYPE }];
}

/** Yields all rows of the trace store, one table at a time. */
async function* storedRows({ config }: TestServer): AsyncGenerator<{ table: string; text: string }> {
  const store = await openUnmigrated(config);
  try {
    const tables = await store.lines(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
    );
    expect(tables).toEqual(expect.arrayContaining(['traces', 'steps', 'spans']));
    for (const table of tables)
      yield { table, text: (await store.lines(`SELECT * FROM ${table}`)).join('\n') };
  } finally {
    await store.close();
  }
}

async function* exported({ person }: Account): AsyncGenerator<Trace> {
  const answer = await person.client.open(routes.traces.export, { query: {} });
  for (const line of (await answer.text()).split('\n')) if (line !== '') yield JSON.parse(line);
}
