import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { SPAN_QUERY, STEP_CALLS, STEP_DEPENDENCY, STEP_NAME } from '../rollups/index.ts';
import { type Conditions, isOfSteps, type StepFilters } from './conditions.ts';
import { findRest, selectSpanned } from './rest-store.ts';

const ID = ':id';

/**
 * What a row of steps, or of spans, must be, but for how it ended. What costs little is asked first: few rows are left for reading a name's or
 * metadata's text.
 */
function ofStep({ stepName = '', stepType, dependency = '' }: StepFilters): Conditions {
  const sql: string[] = [];
  const params: { [name: string]: string } = {};
  if (stepType !== undefined) {
    sql.push('type = {stepType:String}');
    params.stepType = stepType;
  }
  if (stepName !== '') {
    const start = stepName.indexOf(ID);
    sql.push(
      start === -1
        ? 'name = {stepName:String}'
        : "(name = {stepName:String} OR (type = 'http' AND startsWith(name, {stepNameStart:String})))",
      `${STEP_NAME} = {stepName:String}`,
    );
    params.stepName = stepName;
    if (start !== -1) params.stepNameStart = stepName.slice(0, start);
  }
  if (dependency !== '') {
    sql.push(`type IN ('http', 'database', 'cache', 'queue')`, `${STEP_DEPENDENCY} = {dependency:String}`);
    params.dependency = dependency;
  }
  return { sql, params };
}

/** Where a step is stored: its own rows, or spans. */
interface StepTable {
  readonly table: string;
  /** What a request knows its rows by. */
  readonly of: string;
  /** The same with what the table is sorted by; and that alone, which is read soonest and which few requests share. */
  readonly place: string;
  readonly near: string;
  /** What else tells its rows apart, so that one which came twice counts once. */
  readonly row: string;
  readonly failed: string;
  readonly calls: string;
  /** What tells queries of one name apart. */
  readonly asks: string;
}

const STEPS: StepTable = {
  table: 'steps',
  of: 'trace',
  place: 'trace_time_ms, trace',
  near: 'trace_time_ms',
  row: 'ordinal',
  failed: `error != ''`,
  calls: STEP_CALLS,
  asks: `''`,
};
const SPANS: StepTable = {
  table: 'spans',
  of: 'trace_id, toString(service)',
  place: 'trace_id, toString(service)',
  near: 'trace_id',
  row: 'span_id',
  failed: 'has_error',
  calls: '1',
  asks: SPAN_QUERY,
};

/** SELECT of what requests that have such a step know its rows by, among the projects' rows that meet `among`. */
function selectOwners(
  { table, of, place, near, row, failed, calls, asks }: StepTable,
  among: string,
  { stepStatus, minCalls }: StepFilters,
  step: readonly string[],
): string {
  const ended = stepStatus === undefined ? [] : [stepStatus === 'error' ? failed : `NOT (${failed})`];
  const where = [among, ...ended, ...step].join(' AND ');
  if (minCalls === undefined)
    return `SELECT ${of} FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where}`;
  const grouped = `GROUP BY project_id, ${place}, type, ${STEP_NAME}, ${asks} HAVING sum(${calls}) >= {minCalls:UInt64}`;
  // Names are read only where all calls together are so many, and repeated rows put aside, which takes longest, only where those of one name are.
  const often = `SELECT ${near} FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where}
    GROUP BY ${near} HAVING sum(${calls}) >= {minCalls:UInt64}`;
  const many = `SELECT ${place} FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where} AND ${near} IN (${often}) ${grouped}`;
  return `SELECT ${of} FROM (SELECT * FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where} AND (${place}) IN (${many})
      LIMIT 1 BY project_id, ${place}, ${row}) ${grouped}`;
}

const KINDS = "JSONExtract(step_kinds, 'Array(Tuple(UInt64, Bool, String, String, String, String))')";
const [CALLS, FAILED, TYPE, NAME, DEPENDENCY, QUERY] = [1, 2, 3, 4, 5, 6].map((place) => `kind.${place}`);

/** Whether among the kinds of a request's steps is one as it is asked: see `StepKinds`. */
function amongKinds({ stepName = '', stepType, dependency = '', stepStatus, minCalls }: StepFilters): string {
  const such = [
    ...(stepType === undefined ? [] : [`${TYPE} = {stepType:String}`]),
    ...(stepName === '' ? [] : [`${NAME} = {stepName:String}`]),
    ...(dependency === '' ? [] : [`${DEPENDENCY} = {dependency:String}`]),
    ...(stepStatus === undefined ? [] : [stepStatus === 'error' ? FAILED : `NOT ${FAILED}`]),
  ].join(' AND ');
  if (minCalls === undefined) return `arrayExists(kind -> ${such}, ${KINDS})`;
  // Calls of one step may have gone well and failed, and asked various servers.
  const calls = `arraySum(kind -> if((${TYPE}, ${NAME}, ${QUERY}) = (one.3, one.4, one.6)${such && ` AND ${such}`}, ${CALLS}, 0), kinds_)`;
  return `arrayExists(one -> ${calls} >= {minCalls:UInt64}, ${KINDS} AS kinds_)`;
}

/** Of more different ones the store is asked again in each query: a statement may be 256 kB long. */
const MAX_KINDS = 10_000;

/** SELECT of what rows say that have such a step. Requests that did the same say the same, and one of them is read. */
function selectKinds(columns: string, such: string, { sql }: Conditions): string {
  return `SELECT ${columns} FROM (SELECT step_kinds_hash, step_kinds FROM traces WHERE ${sql.join(' AND ')} LIMIT 1 BY step_kinds_hash) WHERE ${such}`;
}

const Said = z.object({ said: z.string().regex(/^\d+$/), known: z.coerce.boolean() });

/** The condition on rows that say that they have such a step, and whether there are rows that do not say what they have. */
async function findSaid(
  store: TraceStore,
  filters: StepFilters,
  among: Conditions,
  params: QueryParams,
): Promise<{ readonly sql: string; readonly all: boolean }> {
  const such = amongKinds(filters);
  const columns = `toString(step_kinds_hash) AS said, step_kinds != '' AS known`;
  const found = await store.rows(
    Said,
    `${selectKinds(columns, `step_kinds = '' OR ${such}`, among)} ORDER BY known LIMIT ${MAX_KINDS + 1}`,
    { ...among.params, ...params },
  );
  const all = found.every(({ known }) => known);
  if (found.length > MAX_KINDS) {
    return { sql: `step_kinds_hash IN (${selectKinds('step_kinds_hash', such, among)})`, all };
  }
  const said = found.flatMap((each) => (each.known ? [each.said] : []));
  return { sql: said.length === 0 ? 'false' : `step_kinds_hash IN (${said.join(',')})`, all };
}

const NOT_SAID = "step_kinds_hash = sipHash64('')";

/**
 * Those of the traces that meet `among` which have such a step: its own conditions are not among what is answered. A span is a step of its service's
 * requests in its trace. Most rows say of what kinds their steps are; of the others, the steps are looked through.
 */
export async function withStep(
  store: TraceStore,
  filters: StepFilters,
  projectIds: readonly string[],
  among: Conditions,
): Promise<Conditions> {
  if (!isOfSteps(filters)) return { sql: [], params: {} };
  const { sql, params } = ofStep(filters);
  const { minCalls } = filters;
  const asked = { ...params, ...(minCalls !== undefined && { minCalls }) };
  const said = await findSaid(store, filters, among, asked);
  if (said.all) return { sql: [said.sql], params: asked };
  const rest = await findRest(store, among, NOT_SAID);
  const places = [said.sql];
  if (rest.stepped > 0) {
    const within = 'trace_time_ms BETWEEN {stepsFirst:UInt64} AND {stepsLast:UInt64}';
    places.push(`(${NOT_SAID} AND id IN (${selectOwners(STEPS, within, filters, sql)}))`);
  }
  if (rest.spanned > 0) {
    const spans = selectOwners(
      SPANS,
      `trace_id IN (${selectSpanned(among, NOT_SAID)}) AND NOT entry`,
      filters,
      sql,
    );
    places.push(`(${NOT_SAID} AND has_spans AND (${SPANS.of}) IN (${spans}))`);
  }
  const bounds = { stepProjects: projectIds, stepsFirst: rest.first_ms, stepsLast: rest.last_ms };
  return { sql: [`(${places.join(' OR ')})`], params: { ...asked, ...bounds } };
}
