import type { QueryFields } from '../../record/capture/query-values.ts';
import type { Shorten } from '../../record/snapshot/text.ts';
import type { StepType } from '../../record/types.ts';
import type { StepValue } from '../../record/writer/captured-text.ts';
import { messageBody, returnedRows } from './attribute-names.ts';
import { describeSql } from './sql.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Data of a span of any tracer. */
export interface SpanFacts {
  readonly name: string;
  /** Span kind as numbered by the API: 1 is SERVER, 2 CLIENT, 3 PRODUCER, 4 CONSUMER. */
  readonly kind: number;
  readonly attributes: Fields;
  readonly bound?: StepValue | undefined;
  /** The first rows that the query returned. */
  readonly firstRows?: StepValue | undefined;
}

/** The fields in which a step shows a span. */
export interface SpanView {
  readonly name: string;
  readonly type: StepType;
  readonly inputs?: QueryFields;
  readonly outputs?: QueryFields;
  readonly rest: Fields;
}

export const serverKind = 1;

const cacheSystems = new Set(['redis', 'valkey', 'memcached']);
/** Databases whose queries are not SQL and whose instrumentations omit values. */
const otherSystems = new Set(['mongodb', 'elasticsearch', 'opensearch', 'dynamodb', 'neo4j', 'couchbase']);

/** Returns the step type of a span, by current and old OpenTelemetry semantic conventions. */
export function toStepType({ attributes, kind }: Pick<SpanFacts, 'attributes' | 'kind'>): StepType {
  const system = readDatabaseSystem(attributes);
  if (system !== undefined) return cacheSystems.has(system) ? 'cache' : 'database';
  if (Object.keys(attributes).some((name) => name.startsWith('messaging.'))) return 'queue';
  const method = readText(attributes, 'http.request.method', 'http.method');
  return method !== undefined && kind !== serverKind ? 'http' : 'custom';
}

/** Maximum length of a message's content, in UTF-16 code units. */
const maxBody = 4096;

/** Converts a span to a step's fields; `rest` contains the attributes that no other field shows. */
export function describeSpan(facts: SpanFacts, shorten: Shorten): SpanView {
  const type = toStepType(facts);
  if (type === 'database') return describeDatabaseSpan(facts, shorten);
  if (type === 'cache') return cacheView(facts);
  if (type === 'http') return describeHttpSpan(facts);
  const body = readText(facts.attributes, messageBody);
  const rest = without(facts.attributes, messageBody);
  return {
    name: facts.name,
    type,
    rest,
    ...(type === 'queue' && body !== undefined && { inputs: { message: shorten(body, maxBody) } }),
  };
}

const queryTexts = ['db.query.text', 'db.statement'] as const;

function describeDatabaseSpan({ name, attributes, bound, firstRows }: SpanFacts, shorten: Shorten): SpanView {
  const query = readText(attributes, ...queryTexts);
  const rows = attributes[returnedRows];
  const shared = {
    type: 'database',
    rest: without(attributes, ...queryTexts, returnedRows),
    ...(typeof rows === 'number' && { outputs: { rows, ...(firstRows !== undefined && { firstRows }) } }),
  } as const;
  if (query === undefined) return { ...shared, name };
  const system = readDatabaseSystem(attributes) ?? '';
  if (otherSystems.has(system)) return { ...shared, name, inputs: { query } };
  const sql = describeSql(query, system === 'mysql' || system === 'mariadb' ? 'mysql' : 'standard', shorten);
  return {
    ...shared,
    name: sql.name,
    inputs: { statement: sql.masked, ...(bound !== undefined && { values: bound }) },
  };
}

function cacheView({ name, attributes }: SpanFacts): SpanView {
  const command = readText(attributes, ...queryTexts);
  const rest = without(attributes, ...queryTexts);
  const shown = name.replace(/^redis-/i, '').toUpperCase();
  return { name: shown, type: 'cache', rest, ...(command !== undefined && { inputs: { command } }) };
}

function describeHttpSpan({ name, attributes }: SpanFacts): SpanView {
  const method = readText(attributes, 'http.request.method', 'http.method') ?? '';
  const url = readText(attributes, 'url.full', 'http.url');
  const status = attributes['http.response.status_code'] ?? attributes['http.status_code'];
  return {
    name: url === undefined ? name : `${method} ${withoutQuery(url)}`,
    type: 'http',
    rest: without(
      attributes,
      'url.full',
      'http.url',
      'http.request.method',
      'http.method',
      'http.response.status_code',
      'http.status_code',
    ),
    inputs: { method, ...(url !== undefined && { url }) },
    ...(typeof status === 'number' && { outputs: { statusCode: status } }),
  };
}

/** Returns `host/path` of a URL. For a string that is not a URL, returns the string up to its query. */
export function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return url.split(/[?#]/, 1)[0] ?? url;
  const { host, pathname } = new URL(url);
  return host + pathname;
}

function readDatabaseSystem(attributes: Fields): string | undefined {
  return readText(attributes, 'db.system.name', 'db.system')?.toLowerCase();
}

function readText(attributes: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = attributes[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function without(attributes: Fields, ...names: string[]): Fields {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );
}
