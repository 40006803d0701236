import { callersOf } from '../rollups/index.ts';
import { type CallerFilters, type Conditions, isOfCallers } from './conditions.ts';

/**
 * Those of the traces that meet `among` which such a service asked for: its own conditions are not among what is answered. Who asked is the same as on
 * the map of services.
 */
export function askedBy(
  { caller = '', callers }: CallerFilters,
  projectIds: readonly string[],
  among: Conditions,
): Conditions {
  if (!isOfCallers({ caller, callers })) return { sql: [], params: {} };
  const sources = [
    ...(caller === '' ? [] : ['source = {caller:String}']),
    ...(callers === undefined ? [] : [callers === 'unnamed' ? `source = ''` : `source != ''`]),
  ];
  const asked = `traces WHERE ${[...among.sql, "parent_span_id != ''"].join(' AND ')}`;
  const answers = callersOf(asked, 'project_id IN {callerProjects:Array(UUID)}');
  return {
    sql: [`id IN (SELECT asked FROM (${answers}) WHERE ${sources.join(' AND ')})`],
    params: { callerProjects: projectIds, ...(caller !== '' && { caller }) },
  };
}
