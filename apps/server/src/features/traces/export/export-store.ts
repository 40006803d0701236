import type { VisibleProject } from '../../../platform/http/guard.ts';
import { type TraceStore, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { stepJson } from '../detail/single-trace-store.ts';
import { combineConditions } from '../list/conditions.ts';
import type { Cursor } from '../list/cursor.ts';
import type { ListQuery } from '../list/list-query.ts';
import { buildConditions } from '../list/selection-store.ts';
import {
  ORDER,
  type StoredTrace,
  selectAfterCursor,
  selectWholeTrace,
  toCursor,
  WholeRow,
} from '../store.ts';

/** A page of traces in order, without steps, and the cursor of the next page if this page is full. */
export interface WholePage {
  readonly traces: readonly StoredTrace[];
  readonly next: Cursor | undefined;
}

export async function findWholePage(
  store: TraceStore,
  projects: readonly VisibleProject[],
  query: ListQuery,
): Promise<WholePage> {
  const conditions = combineConditions(
    await buildConditions(store, projects, query),
    selectAfterCursor(query.after),
  );
  const traces = await store.rows(
    WholeRow,
    `SELECT ${selectWholeTrace('whole')} FROM traces WHERE ${conditions.sql.join(' AND ')}
     ORDER BY ${ORDER[query.sort]} LIMIT {limit:UInt32}`,
    { ...conditions.params, limit: query.limit },
  );
  const last = traces.at(-1);
  return {
    traces,
    next: last === undefined || traces.length < query.limit ? undefined : toCursor(last, query.sort),
  };
}

const UUID_LENGTH = 36;

/** Finds the steps of several traces of one project, as JSON in order, by trace. */
export async function findStepsOfMany(
  store: TraceStore,
  project: string,
  traces: readonly Pick<StoredTrace, 'id' | 'step_count'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (traces.length === 0) return new Map();
  const counts = new Map(traces.map(({ id, step_count }) => [id, step_count]));
  // If the step at an index was stored twice, the newest row is used.
  const lines = await store.lines(
    `SELECT concat(toString(trace), toString(ordinal), ' ', ${stepJson(true)}) FROM (
       SELECT * FROM steps WHERE project_id = {project:UUID}
         AND trace_time_ms IN {times:Array(UInt64)} AND trace IN {traces:Array(UUID)}
       ORDER BY trace, ordinal, stored_at DESC LIMIT 1 BY trace, ordinal)
     ORDER BY trace, ordinal`,
    {
      project,
      times: traces.map(({ id }) => timeOfTraceId(id)),
      traces: traces.map(({ id }) => id),
    },
  );
  const steps = new Map<string, string[]>(traces.map(({ id }) => [id, []]));
  for (const line of lines) {
    const id = line.slice(0, UUID_LENGTH);
    const end = line.indexOf(' ', UUID_LENGTH);
    const ordinal = Number(line.slice(UUID_LENGTH, end));
    if (ordinal < (counts.get(id) ?? 0)) steps.get(id)?.push(line.slice(end + 1));
  }
  return steps;
}
