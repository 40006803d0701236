import type { ClickHouseClient } from '@clickhouse/client';
import { createClient, routes } from '@throughline/contract';
import { z } from 'zod';
import { createSender, makeBatches } from '../ingest/senders.ts';
import { withEngine } from '../lib/engine.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { type GeneratedTrace, generateTraces, STEPS_PER_TRACE } from '../lib/trace-generator.ts';
import { rollUp } from './analytics-calls.ts';

const TRACES_PER_BATCH = 25;
const CONNECTIONS = 8;
/** Total number of projects, including the project that is measured. */
const PROJECTS = 50;
/** Number of traces of the measured project for each trace of the other projects. */
const OTHERS_SHARE = 5;
/** Number of days that the data covers. */
export const DAYS = 30;

/** A filled server folder, and facts about its data. */
export interface Loaded {
  readonly dataDir: string;
  readonly token: string;
  readonly apiKey: string;
  readonly projectId: string;
  /** Number of traces in the measured project. */
  readonly traces: number;
  readonly steps: number;
  readonly othersTraces: number;
  /** Number of generated traces that were sent. `copies` is the number of copies of each. */
  readonly templates: number;
  readonly copies: number;
  /** Time in epoch ms before which all loaded traces started. */
  readonly untilMs: number;
  removeFolder(): Promise<void>;
}

/**
 * Fills a folder with traces of the last 30 days. Generates `templates` traces and sends them to the real server, which stores them as
 * usual. The engine then inserts `copies` copies of each into the same tables, with other ids, times, durations, routes, statuses, services
 * and attributes, but the same step values. Each copy of the templates covers its own part of the 30 days, so that the store receives the
 * days one after another, as in use.
 */
export async function loadFolder(size: {
  readonly templates: number;
  readonly copies: number;
}): Promise<Loaded> {
  const server = await startServerProcess();
  const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const others: string[] = [];
  for (let index = 1; index < PROJECTS; index += 1) {
    const { project } = await owner.call(routes.projects.create, { body: { name: `neighbour ${index}` } });
    others.push(project.id);
  }
  await owner.call(routes.analytics.setFunnel, {
    params: { id: server.projectId },
    body: { steps: FUNNEL.map((at) => ({ ...toEndpoint(at), name: '' })) },
  });
  await sendTemplates(server, size.templates);
  await server.stop();
  const untilMs = Date.now() - 60_000;
  await withEngine(server.dataDir, (client) =>
    multiply(client, server.projectId, others, size.copies, untilMs),
  );
  await rollUp(server.dataDir, server.projectId);
  const traces = size.templates * size.copies;
  return {
    dataDir: server.dataDir,
    token: server.token,
    apiKey: server.apiKey,
    projectId: server.projectId,
    traces,
    steps: traces * STEPS_PER_TRACE,
    othersTraces: size.templates * Math.ceil(size.copies / OTHERS_SHARE),
    ...size,
    untilMs,
    removeFolder: server.removeFolder,
  };
}

/** Returns seeds for the templates, in groups of a thousand traces. The bodies of all traces together would need gigabytes of memory. */
function templateSeeds(count: number): { readonly seed: number; readonly traces: number }[] {
  if (count % TRACES_PER_BATCH !== 0) throw new Error(`${count} templates are not whole batches`);
  return Array.from({ length: Math.ceil(count / 1000) }, (_thousand, index) => ({
    seed: index + 1,
    traces: Math.min(1000, count - index * 1000),
  }));
}

/** Generates the template traces of a loaded folder again. The values are the same; the times differ. */
export function* generateTemplates({ templates }: Pick<Loaded, 'templates'>): Generator<GeneratedTrace> {
  for (const { seed, traces } of templateSeeds(templates)) {
    yield* generateTraces(seed, Date.now).take(traces);
  }
}

async function sendTemplates(
  server: { readonly url: string; readonly apiKey: string },
  count: number,
): Promise<void> {
  const sender = createSender(server, CONNECTIONS);
  for (const { seed, traces } of templateSeeds(count)) {
    const batches = traces / TRACES_PER_BATCH;
    const made = makeBatches({ seed, batches, traces: TRACES_PER_BATCH, keep: 1 });
    const answers = await Promise.all(made.batches.map((batch) => sender.send(batch)));
    if (answers.some(({ accepted }) => accepted !== TRACES_PER_BATCH))
      throw new Error('a batch of templates was not accepted');
  }
  sender.close();
}

async function multiply(
  client: ClickHouseClient,
  project: string,
  others: readonly string[],
  copies: number,
  endMs: number,
): Promise<void> {
  const run = (query: string) => client.command({ query });
  await run('CREATE TABLE template_steps AS steps');
  await run('INSERT INTO template_steps SELECT * FROM steps');
  // `before` is the id of the previous template: some copies of a template were called by a copy of the previous template.
  await run(`CREATE TABLE template_traces ENGINE = MergeTree ORDER BY template AS
    SELECT *, id AS template, row_number() OVER (ORDER BY id) AS place, lagInFrame(id) OVER (ORDER BY id) AS before FROM traces`);
  for (const table of ['traces', 'steps']) await run(`TRUNCATE TABLE ${table}`);
  const own = (share: number, of: number) => ({
    ...computeDays(share, of, endMs),
    copy: share,
    project: `'${project}'`,
  });
  for (let copy = 0; copy < copies; copy += 1) await copyOnce(run, own(copy, copies));
  const list = `[${others.map((id) => `'${id}'`).join(',')}]`;
  const rest = Math.ceil(copies / OTHERS_SHARE);
  for (let copy = 0; copy < rest; copy += 1) {
    const neighbour = `arrayElement(${list}, 1 + cityHash64(template, 'project') % ${others.length})`;
    await copyOnce(run, { ...computeDays(copy, rest, endMs), copy: copies + copy, project: neighbour });
  }
  for (const table of ['traces', 'steps']) await run(`DROP TABLE template_${table} SYNC`);
  // By the table's settings, a day's parts are merged an hour after the day has ended. Loading takes less time, so this statement merges
  // them.
  await run('OPTIMIZE TABLE traces FINAL');
  await settleMerges(client);
}

interface Copy {
  readonly copy: number;
  readonly fromMs: number;
  readonly spanMs: number;
  /** SQL expression for the id of the project that receives the template's copy. */
  readonly project: string;
}

function computeDays(share: number, of: number, endMs: number) {
  const spanMs = Math.floor((DAYS * 86_400_000) / of);
  return { fromMs: endMs - (of - share) * spanMs, spanMs };
}

/**
 * Duration of a release. Each release runs for some days, and each route belongs to one service. Therefore many requests have the same
 * release, service and route, as in a real project.
 */
const RELEASE_MS = 2.5 * 86_400_000;
const ROUTES = [
  ['POST', '/orders/:id', 'shop'],
  ['GET', '/orders/:id', 'shop'],
  ['GET', '/products/:id', 'search'],
  ['GET', '/health', 'shop'],
  ['PUT', '/users/:id', 'users'],
  ['DELETE', '/carts/:id', 'shop'],
  ['PATCH', '/users/:id/address', 'users'],
  ['GET', '/search', 'search'],
  ['POST', '/api/v1/payments/:id/capture', 'billing'],
  ['GET', '/api/v1/reports/:id/export', 'billing'],
] as const;
/** Steps of the funnel as indexes of `ROUTES`: search for a product, view it, order it. */
const FUNNEL = [7, 2, 0] as const;
const toEndpoint = (at: (typeof FUNNEL)[number]) => ({ method: ROUTES[at][0], path: ROUTES[at][1] });
/** Attributes of a database step. */
const DATABASE = '{"db.system":"postgresql","db.operation.name":"SELECT","db.collection.name":"orders"}';
/** Computes the search hashes in SQL as the server does. */
const hashes = (what: string, attributes: string) =>
  `arrayMap(pair -> reinterpretAsUInt64(reverse(substring(SHA256(${what}), 1, 8))),
    arrayConcat(JSONExtractKeysAndValuesRaw(${attributes}), JSONExtractKeysAndValuesRaw('${DATABASE}')))`;
const texts = (all: readonly string[]) => `[${all.map((text) => `'${text}'`).join(',')}]`;

/** One in this number of requests was called by another request. */
const ASKED_BY_ANOTHER = 5;
export const SESSIONS = 5000;
const COUNTRIES = ['', 'DE', 'FR', 'JP', 'US'];
/** Name of a step that one in a hundred requests has. */
export const RARE_STEP = 'notifyByPhone';

async function copyOnce(run: (query: string) => Promise<unknown>, copy: Copy): Promise<void> {
  // Builds SQL for a pseudo-random number, which depends only on the template, the copy and `what`. A trace and its steps therefore get the
  // same number.
  const chance = (what: string, of = 'template') => `cityHash64(${of}, ${copy.copy}, '${what}')`;
  const hex = (what: string, of?: string) => `leftPad(lower(hex(${chance(what, of)})), 16, '0')`;
  const ms = `toUInt64(${copy.fromMs} + ${chance('time')} % ${copy.spanMs})`;
  const time = `leftPad(lower(hex(${ms})), 12, '0')`;
  const id = `toUUID(concat(substring(${time}, 1, 8), '-', substring(${time}, 9, 4), '-7', substring(${hex('a')}, 1, 3),
    '-8', substring(${hex('a')}, 4, 3), '-', substring(${hex('b')}, 1, 12)))`;
  const of = (what: string, all: readonly string[]) =>
    `arrayElement(${texts(all)}, 1 + ${chance(what)} % ${all.length})`;
  const which = `1 + ${chance('route')} % ${ROUTES.length}`;
  const route = `arrayElement(${texts(ROUTES.map(([, path]) => path))}, ${which})`;
  const outcome = `${chance('status')} % 100`;
  const attributes = `concat('{"http.route":"', ${route}, '","tenant":"t', toString(${chance('tenant')} % 1000), '","cart.size":', toString(${chance('cart')} % 9),
        ',"region":"', ${of('region', ['eu-west-1', 'us-east-1', 'ap-south-1'])}, '","order.reference":"', ${hex('reference')}, '"}')`;
  const declined = `${chance('declined')} % 50 = 0`;
  const rare = `${chance('notify')} % 100 = 0`;
  const kinds = `arrayMap(kind -> (kind.1, kind.2 OR (kind.4 = 'charge' AND ${declined}), kind.3, if(kind.4 = 'notify' AND ${rare}, '${RARE_STEP}', kind.4),
        if(kind.3 = 'database', 'postgresql', kind.5), kind.6), JSONExtract(step_kinds, 'Array(Tuple(UInt64, UInt8, String, String, String, String))'))`;
  const status = `multiIf(${outcome} < 90, 200, ${outcome} < 95, 404, ${outcome} < 97, 422, ${outcome} < 99, 500, 0)`;
  await run(`INSERT INTO steps SELECT * EXCEPT template REPLACE (
      ${copy.project} AS project_id, ${ms} AS trace_time_ms, ${id} AS trace,
      start_micros + (toInt64(${ms}) - toInt64(trace_time_ms)) * 1000 AS start_micros,
      if(type = 'database', '${DATABASE}', metadata) AS metadata,
      if(name = 'charge' AND ${declined}, '{"name":"Error","message":"The card was declined"}', error) AS error,
      if(name = 'notify' AND ${rare}, '${RARE_STEP}', name) AS name,
      fromUnixTimestamp64Milli(toInt64(${ms}) + 1000) AS stored_at)
    FROM (SELECT *, trace AS template FROM template_steps)
    SETTINGS max_insert_block_size = 65536, max_partitions_per_insert_block = 1000, max_memory_usage = 0`);
  const asked = `place % ${ASKED_BY_ANOTHER} = 0`;
  const ofTrace = `if(${asked}, before, template)`;
  await run(`INSERT INTO traces SELECT * EXCEPT (template, place, before) REPLACE (
      ${copy.project} AS project_id, fromUnixTimestamp64Micro(toInt64(${ms}) * 1000 + ${chance('micros')} % 1000) AS start_time,
      ${id} AS id, ${ms} AS id_time_ms, lower(concat(${hex('trace', ofTrace)}, ${hex('more', ofTrace)})) AS trace_id, ${hex('span')} AS span_id,
      if(${asked}, ${hex('span', 'before')}, '') AS parent_span_id,
      concat('s', toString(${chance('session')} % ${SESSIONS})) AS session_id, ${of('country', COUNTRIES)} AS country,
      arrayElement(${texts(ROUTES.map(([method]) => method))}, ${which}) AS method, ${route} AS route,
      replaceOne(${route}, ':id', toString(${chance('thing')} % 1000000)) AS path,
      toUInt16(${status}) AS status_code, ${status} = 0 OR ${status} >= 400 AS is_error,
      toUInt64(2000 - 80000 * log((1 + ${chance('duration')} % 1000000) / 1000001)) AS duration_micros,
      arrayElement(${texts(ROUTES.map(([, , service]) => service))}, ${which}) AS service,
      if(${chance('environment')} % 5 = 0, 'staging', 'production') AS environment,
      concat('v', toString(intDiv(${ms}, ${RELEASE_MS}))) AS release,
      ${attributes} AS attributes, ${hashes("concat(pair.1, ':', pair.2)", attributes)} AS attribute_pairs,
      ${hashes('pair.1', attributes)} AS attribute_names, true AS attributes_whole, toJSONString(${kinds}) AS step_kinds,
      fromUnixTimestamp64Milli(toInt64(${ms}) + 1000) AS stored_at)
    FROM template_traces
    SETTINGS max_partitions_per_insert_block = 1000`);
}

const MERGE_WAIT_MS = 60_000;

/** Waits until the merges that the load started are finished, as they would be in a store of thirty days. */
async function settleMerges(client: ClickHouseClient): Promise<void> {
  const untilMs = Date.now() + MERGE_WAIT_MS;
  for (let idle = 0; idle < 3 && Date.now() < untilMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const answer = await client.query({
      query: 'SELECT count() AS merges FROM system.merges',
      format: 'JSONEachRow',
    });
    const [row] = z.array(z.object({ merges: z.coerce.number() })).parse(await answer.json());
    idle = row?.merges === 0 ? idle + 1 : 0;
  }
}
