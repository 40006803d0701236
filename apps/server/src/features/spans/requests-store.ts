import { z } from 'zod';
import { type ProjectId, readId } from '../../platform/ids.ts';
import {
  type AttributeHashes,
  hashSql,
  MAX_ATTRIBUTES,
  type TraceStore,
  timeOfTraceId,
} from '../../platform/trace-store/index.ts';
import { formatKind, SPAN_QUERY, STEP_DEPENDENCY, STEP_NAME } from '../rollups/index.ts';
import { formatLiterals, MAX_IDS, matchTraces, type TraceKey } from './store.ts';

export interface CountedTrace extends TraceKey {
  /** Id of the request's row in traces. */
  readonly id: string;
  readonly spanId: string;
  readonly stepCount: number;
  /** True if the row contains the attributes of all steps. */
  readonly attributesWhole: boolean;
  /** True if the row lists the kinds of its steps. */
  readonly kindsKnown: boolean;
}

/** Finds the rows of these traces in chunks that fit into a statement; `condition` builds the condition for a chunk. */
async function findRows<S extends z.ZodType>(
  store: TraceStore,
  keys: readonly TraceKey[],
  row: S,
  sqlOf: (condition: string) => string,
): Promise<z.output<S>[]> {
  const found: z.output<S>[][] = [];
  for (let from = 0; from < keys.length; from += MAX_IDS) {
    const some = keys.slice(from, from + MAX_IDS);
    found.push(await store.rowsForWriter(row, sqlOf(matchTraces(some))));
  }
  return found.flat();
}

const CountRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  id: z.string(),
  span_id: z.string(),
  step_count: z.number(),
  attributes_whole: z.boolean(),
  kinds_known: z.coerce.boolean(),
});

/** Finds the requests of these traces, with the step data in their rows. */
export async function findCounts(store: TraceStore, keys: readonly TraceKey[]): Promise<CountedTrace[]> {
  const rows = await findRows(
    store,
    keys,
    CountRow,
    (
      ofTraces,
    ) => `SELECT project_id, trace_id, id, span_id, step_count, attributes_whole, step_kinds != '' AS kinds_known FROM traces
       WHERE ${ofTraces} AND has_spans`,
  );
  return rows.flatMap((row) => {
    const projectId = readId<ProjectId>(row.project_id);
    if (projectId === undefined) return [];
    const { trace_id: traceId, id, span_id: spanId, step_count: stepCount } = row;
    const { attributes_whole: attributesWhole, kinds_known: kindsKnown } = row;
    return [{ projectId, traceId, id, spanId, stepCount, attributesWhole, kindsKnown }];
  });
}

const FactsRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  names: z.array(z.string()),
  pairs: z.array(z.string()),
  type: z.string(),
  kind_name: z.string(),
  dependency: z.string(),
  has_error: z.boolean(),
  asks: z.string(),
});

/** The search data that a span adds to its request's row. */
export interface SpanFacts extends AttributeHashes {
  /** The kind of the step, in the format of {@link formatKind}. */
  readonly kind: string;
}

/** Finds the search data of these traces' spans, by `formatKey` and span id. */
export async function findFacts(
  store: TraceStore,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, SpanFacts>> {
  const rows = await findRows(
    store,
    keys,
    FactsRow,
    (ofTraces) => `SELECT project_id, trace_id, span_id, JSONExtractKeysAndValuesRaw(metadata) AS members,
         arrayMap(member -> toString(${hashSql('member.1')}), members) AS names,
         arrayMap(member -> toString(${hashSql("concat(member.1, ':', member.2)")}), members) AS pairs,
         toString(type) AS type, ${STEP_NAME} AS kind_name, ${STEP_DEPENDENCY} AS dependency, has_error, ${SPAN_QUERY} AS asks
       FROM spans
       WHERE ${ofTraces}`,
  );
  return new Map(
    rows.map(
      ({ project_id, trace_id, span_id, names, pairs, type, kind_name, dependency, has_error, asks }) => {
        const kind = formatKind({ type, name: kind_name, dependency, failed: has_error, query: asks });
        return [`${project_id} ${trace_id} ${span_id}`, { names, pairs, kind }];
      },
    ),
  );
}

/** Changes to the step data in a request's row. Undefined fields do not change. */
export interface RequestChange {
  readonly projectId: ProjectId;
  readonly id: string;
  readonly stepCount: number | undefined;
  /** Search data of the steps to add to the row, or a marker that there is too much data. */
  readonly attributes: AttributeHashes | 'too many' | undefined;
  /** The step kinds that filters use, in the format of `StepKinds`. */
  readonly kinds: string | undefined;
}

/** Maximum number of characters for ids and hashes in a statement: a statement can have 256 kB. */
const MAX_CHARACTERS = 200_000;
/** Length of an id with quotes and comma, times how often the statement contains each id. */
const CHARACTERS_OF_ID = 39 * 9;
const CHARACTERS_OF_HASH = 21;

export async function updateRequests(store: TraceStore, changes: readonly RequestChange[]): Promise<void> {
  let some: RequestChange[] = [];
  let room = MAX_CHARACTERS;
  // If two servers stored a request at the same time, the request can still have two rows, so `changes` can contain the request twice.
  for (const change of new Map(changes.map((each) => [each.id, each])).values()) {
    const { names, pairs } = typeof change.attributes === 'object' ? change.attributes : NO_ATTRIBUTES;
    const characters =
      CHARACTERS_OF_ID +
      (names.length + pairs.length) * CHARACTERS_OF_HASH +
      2 * Buffer.byteLength(change.kinds ?? '');
    if (some.length > 0 && characters > room) {
      await updateSome(store, some);
      some = [];
      room = MAX_CHARACTERS;
    }
    some.push(change);
    room -= characters;
  }
  if (some.length > 0) await updateSome(store, some);
}

const NO_ATTRIBUTES: AttributeHashes = { names: [], pairs: [] };

async function updateSome(store: TraceStore, changes: readonly RequestChange[]): Promise<void> {
  const times = changes.map(({ id }) => timeOfTraceId(id));
  await store.command(
    `UPDATE traces SET ${[...countsSql(changes), ...buildKindsSql(changes), ...buildAttributesSql(changes)].join(', ')}
       WHERE project_id IN (${formatLiterals(changes.map(({ projectId }) => projectId))})
         AND id_time_ms BETWEEN ${Math.min(...times)} AND ${Math.max(...times)}
         AND id IN (${formatLiterals(changes.map(({ id }) => id))})`,
  );
}

function countsSql(changes: readonly RequestChange[]): string[] {
  const counted = changes.flatMap(({ id, stepCount }) =>
    stepCount === undefined ? [] : [{ id, stepCount }],
  );
  if (counted.length === 0) return [];
  const counts = counted.map(({ stepCount }) => Math.trunc(stepCount)).join(',');
  return [
    `step_count = transform(toString(id), [${formatLiterals(counted.map(({ id }) => id))}], [${counts}], step_count)`,
  ];
}

/** Writes the kinds as hexadecimal digits, because they contain names that senders choose, which could otherwise inject SQL. */
function buildKindsSql(changes: readonly RequestChange[]): string[] {
  const known = changes.flatMap(({ id, kinds }) => (kinds === undefined ? [] : [{ id, kinds }]));
  if (known.length === 0) return [];
  const texts = known.map(({ kinds }) => `unhex('${Buffer.from(kinds).toString('hex')}')`).join(',');
  return [
    `step_kinds = transform(toString(id), [${formatLiterals(known.map(({ id }) => id))}], [${texts}], toString(step_kinds))`,
  ];
}

/** Reads a row's own attributes from JSON, because rows of older traces have no attribute hashes. */
function buildAttributesSql(changes: readonly RequestChange[]): string[] {
  const tooMany = changes.filter(({ attributes }) => attributes === 'too many').map(({ id }) => id);
  const noted = changes.flatMap(({ id, attributes }) =>
    typeof attributes === 'object' ? [{ id, ...attributes }] : [],
  );
  const matchesAnyId = (ids: readonly string[]) =>
    ids.length === 0 ? 'false' : `toString(id) IN (${formatLiterals(ids)})`;
  if (noted.length === 0) {
    return tooMany.length === 0
      ? []
      : [`attributes_whole = attributes_whole AND NOT ${matchesAnyId(tooMany)}`];
  }
  const ids = noted.map(({ id }) => id);
  const own = 'JSONExtractKeysAndValuesRaw(attributes)';
  const more = (column: string, lists: readonly (readonly string[])[], ofOwn: string) =>
    `${column} = if(${matchesAnyId(ids)}, arrayDistinct(arrayConcat(${column}, arrayMap(member -> ${hashSql(ofOwn)}, ${own}),
       CAST([${lists.map((hashes) => `[${hashLiterals(hashes)}]`).join(',')}], 'Array(Array(UInt64))')[indexOf([${formatLiterals(ids)}], toString(id))])), ${column})`;
  return [
    more(
      'attribute_names',
      noted.map(({ names }) => names),
      'member.1',
    ),
    more(
      'attribute_pairs',
      noted.map(({ pairs }) => pairs),
      "concat(member.1, ':', member.2)",
    ),
    // A row with `MAX_ATTRIBUTES` or more attributes of its own can have lost some hashes when it was stored, so the row stays marked as
    // incomplete.
    `attributes_whole = NOT ${matchesAnyId(tooMany)} AND (attributes_whole OR (${matchesAnyId(ids)} AND length(${own}) < ${MAX_ATTRIBUTES}))`,
  ];
}

function hashLiterals(hashes: readonly string[]): string {
  for (const hash of hashes) {
    if (!/^\d+$/.test(hash)) throw new Error(`${JSON.stringify(hash)} must not go into a statement`);
  }
  return hashes.join(',');
}
