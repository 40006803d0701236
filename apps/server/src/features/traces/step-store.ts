import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { STEP_DEPENDENCY, STEP_NAME } from '../rollups/index.ts';
import { type Conditions, isOfSteps, type StepFilters } from './conditions.ts';

const ID = ':id';

/** What a row of steps, or of spans, must be. What costs little is asked first: few rows are left for reading a name's or metadata's text. */
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

const Extent = z.object({ spanned: z.coerce.number(), first_ms: z.string(), last_ms: z.string() });

async function findExtent(
  store: TraceStore,
  { sql, params }: Conditions,
): Promise<z.output<typeof Extent> | undefined> {
  const [extent] = await store.rows(
    Extent,
    `SELECT countIf(has_spans) AS spanned, toString(min(id_time_ms)) AS first_ms, toString(max(id_time_ms)) AS last_ms
     FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return extent;
}

/**
 * Those of the traces that meet `among` which have such a step: its own conditions are not among what is answered. A span is a step of its service's
 * requests in its trace.
 */
export async function withStep(
  store: TraceStore,
  filters: StepFilters,
  projectIds: readonly string[],
  among: Conditions,
): Promise<Conditions> {
  if (!isOfSteps(filters)) return { sql: [], params: {} };
  const extent = await findExtent(store, among);
  const { sql, params } = ofStep(filters);
  const step = sql.join(' AND ');
  const places = [
    `id IN (SELECT trace FROM steps WHERE project_id IN {stepProjects:Array(UUID)}
       AND trace_time_ms BETWEEN {stepsFirst:UInt64} AND {stepsLast:UInt64} AND ${step})`,
  ];
  if (extent !== undefined && extent.spanned > 0) {
    places.push(`(has_spans AND (trace_id, toString(service)) IN (
       SELECT trace_id, toString(service) FROM spans WHERE project_id IN {stepProjects:Array(UUID)} AND NOT entry AND ${step}))`);
  }
  const bounds: QueryParams = {
    stepProjects: projectIds,
    stepsFirst: extent?.first_ms ?? '0',
    stepsLast: extent?.last_ms ?? '0',
  };
  return { sql: [`(${places.join(' OR ')})`], params: { ...params, ...bounds } };
}
