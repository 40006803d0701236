import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { SPAN_QUERY, STEP_CALLS, STEP_DEPENDENCY, STEP_NAME } from '../../rollups/index.ts';
import { type Conditions, combineConditions, isOfSteps, type StepFilters } from './conditions.ts';
import { findRest, selectSpanned } from './rest-store.ts';

const ID = ':id';

/**
 * Builds the conditions that a row of `steps` or `spans` must match, except for the filters `stepStatus` and `minCalls`. Cheap conditions
 * come first, so that names and metadata are read for few rows.
 */
function matchStep({ stepName = '', stepType, dependency = '' }: StepFilters): Conditions {
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

/** SQL for a table that contains steps: `steps` or `spans`. */
interface StepTable {
  readonly table: string;
  /** The columns that identify the request of a step. They are compared with the corresponding columns of the request's row. */
  readonly of: string;
  /**
   * The columns by which a step refers to its request, in the table's sort order. `near` is only the first of them, which is the fastest to
   * read; few requests have the same value in it.
   */
  readonly place: string;
  readonly near: string;
  /** Column that identifies a row, so that a row stored twice counts once. */
  readonly row: string;
  readonly failed: string;
  readonly calls: string;
  /** Column that distinguishes queries of the same name. */
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

/** Builds a SELECT of the requests that have a step that matches the filters. Reads only the projects' steps that match `among`. */
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
  // The cheap query `often` comes first: it counts all matching calls by `near` alone. Then `many` reads names, to count the calls of each
  // name, but only for requests in which the matching calls reach the minimum. The outermost query removes duplicate rows, which is the
  // slowest part, only for requests that are left.
  const often = `SELECT ${near} FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where}
    GROUP BY ${near} HAVING sum(${calls}) >= {minCalls:UInt64}`;
  const many = `SELECT ${place} FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where} AND ${near} IN (${often}) ${grouped}`;
  return `SELECT ${of} FROM (SELECT * FROM ${table} WHERE project_id IN {stepProjects:Array(UUID)} AND ${where} AND (${place}) IN (${many})
      LIMIT 1 BY project_id, ${place}, ${row}) ${grouped}`;
}

const KINDS = "JSONExtract(step_kinds, 'Array(Tuple(UInt64, Bool, String, String, String, String))')";
const [CALLS, FAILED, TYPE, NAME, DEPENDENCY, QUERY] = [1, 2, 3, 4, 5, 6].map((place) => `kind.${place}`);

/** Builds SQL that searches the kinds of a request's steps for a matching step; see `StepKinds`. */
function matchKinds({ stepName = '', stepType, dependency = '', stepStatus, minCalls }: StepFilters): string {
  const such = [
    ...(stepType === undefined ? [] : [`${TYPE} = {stepType:String}`]),
    ...(stepName === '' ? [] : [`${NAME} = {stepName:String}`]),
    ...(dependency === '' ? [] : [`${DEPENDENCY} = {dependency:String}`]),
    ...(stepStatus === undefined ? [] : [stepStatus === 'error' ? FAILED : `NOT ${FAILED}`]),
  ].join(' AND ');
  if (minCalls === undefined) return `arrayExists(kind -> ${such}, ${KINDS})`;
  // Calls of one name can be in several kinds, because kinds also differ by failure and dependency. The calls of all matching kinds of a
  // name are added up.
  const calls = `arraySum(kind -> if((${TYPE}, ${NAME}, ${QUERY}) = (one.3, one.4, one.6)${such && ` AND ${such}`}, ${CALLS}, 0), kinds_)`;
  return `arrayExists(one -> ${calls} >= {minCalls:UInt64}, ${KINDS} AS kinds_)`;
}

/**
 * Maximum number of kinds that are written into a statement, which can have only 256 kB. If there are more distinct kinds, each query
 * selects the kinds again.
 */
const MAX_KINDS = 10_000;

/**
 * Builds a SELECT of the sets of step kinds that contain a matching step. Requests with the same step kinds have the same hash, and only
 * one of these requests is read.
 */
function selectKinds(columns: string, such: string, { sql }: Conditions): string {
  return `SELECT ${columns} FROM (SELECT step_kinds_hash, step_kinds FROM traces WHERE ${sql.join(' AND ')} LIMIT 1 BY step_kinds_hash) WHERE ${such}`;
}

const Said = z.object({ said: z.string().regex(/^\d+$/), known: z.coerce.boolean() });

/** Builds a condition for the rows that list a matching step. `all` is true if every row lists its steps. */
async function findSaid(
  store: TraceStore,
  filters: StepFilters,
  among: Conditions,
  params: QueryParams,
): Promise<{ readonly sql: string; readonly all: boolean }> {
  const such = matchKinds(filters);
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
 * Restricts a trace query to requests with a step that matches the filters. Returns only the extra conditions; combine them with `among`. A
 * span counts as a step of its service's requests in the same trace. Most rows list the kinds of their steps; for other rows, the steps are
 * searched.
 */
export async function withStep(
  store: TraceStore,
  filters: StepFilters,
  projectIds: readonly string[],
  among: Conditions,
): Promise<Conditions> {
  if (!isOfSteps(filters)) return { sql: [], params: {} };
  const { sql, params } = matchStep(filters);
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

/** Restricts a trace query to requests without a step of any of the names. Returns only the extra conditions, as {@link withStep} does. */
export async function withoutSteps(
  store: TraceStore,
  names: readonly string[],
  projectIds: readonly string[],
  among: Conditions,
): Promise<Conditions> {
  let all: Conditions = { sql: [], params: {} };
  for (const [index, stepName] of names.entries()) {
    const { sql, params } = await withStep(store, { stepName }, projectIds, among);
    // Each name needs parameters of its own; the other parameters are the same for all names.
    const rename = (name: string) => (name.startsWith('stepName') ? `${name}Excluded${index}` : name);
    all = combineConditions(all, {
      sql: sql.map(
        (having) =>
          `NOT (${having.replaceAll(/\{(stepName\w*):/g, (_all, name: string) => `{${rename(name)}:`)})`,
      ),
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [rename(name), value])),
    });
  }
  return all;
}
