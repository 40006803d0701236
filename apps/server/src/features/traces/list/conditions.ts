import { EXCLUDABLE, type Excludable, type QueryFilters } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { QueryParams } from '../../../platform/trace-store/index.ts';
import { FILTERS, NOT_IN_ROW, type OwnQuery, type RowTest, type Values } from './filter-table.ts';

/** Conditions of a WHERE clause, and their parameters. */
export interface Conditions {
  readonly sql: readonly string[];
  readonly params: QueryParams;
}

export function combineConditions(one: Conditions, other: Conditions): Conditions {
  return { sql: [...one.sql, ...other.sql], params: { ...one.params, ...other.params } };
}

/** Builds the condition that starts every query over traces: unexpired traces of these projects. There must be at least one project. */
export function selectProjects(projects: readonly ShownProject[]): Conditions {
  // Projects of one account have the same expiry time, so fifty projects need only one condition. With a single id, ClickHouse can read
  // in the table's sort order.
  const groups = [...Map.groupBy(projects, ({ shownSince }) => shownSince)];
  if (groups.length === 0) throw new Error('the query names no project');
  const alternatives = groups.map(
    ([, some], index) =>
      `(${some.length === 1 ? `project_id = {p${index}:UUID}` : `project_id IN {p${index}:Array(UUID)}`}
        AND start_time >= fromUnixTimestamp64Micro({s${index}:Int64}))`,
  );
  const params = groups.flatMap(([shownSince, some], index) => {
    const [first, ...more] = some.map(({ id }) => id);
    if (first === undefined) return [];
    return [
      [`p${index}`, more.length === 0 ? first : [first, ...more]],
      [`s${index}`, String(shownSince)],
    ];
  });
  return { sql: [`(${alternatives.join(' OR ')})`], params: Object.fromEntries(params) };
}

/** Filters of a list by name, including values to exclude. */
export type Filters = QueryFilters;

/** Filters that one and the same step of a request must match. */
export type StepFilters = Pick<Filters, 'stepName' | 'stepType' | 'dependency' | 'stepStatus' | 'minCalls'>;

export function isOfSteps({ stepName = '', stepType, dependency = '', ...rest }: StepFilters): boolean {
  const { stepStatus, minCalls } = rest;
  return [stepType, stepStatus, minCalls].some((set) => set !== undefined) || stepName + dependency !== '';
}

type CallerFilters = Pick<Filters, 'caller' | 'callers'>;

export function isOfCallers({ caller = '', callers }: CallerFilters): boolean {
  return caller !== '' || callers !== undefined;
}

export function buildFilterConditions(filters: Filters): Conditions {
  const sql: string[] = [];
  const params: { [name: string]: QueryParams[string] } = {};
  const add = <Name extends keyof Values>(name: Name) => {
    const value = setValue(filters, name);
    if (value === undefined) return;
    const { sql: condition } = FILTERS[name];
    sql.push(typeof condition === 'string' ? condition : condition(value));
    params[name] = FILTERS[name].param(value);
  };
  for (const name of NAMES) add(name);
  EXCLUDED_IN_ROW.flatMap((name) => listExcluded(filters, name)).forEach((excluded, index) => {
    const parameter = `excluded${index}`;
    sql.push(`NOT (${excluded.sql.replaceAll(`{${excluded.name}:`, `{${parameter}:`)})`);
    params[parameter] = excluded.param;
  });
  return { sql, params };
}

/** Filters whose excluded values become conditions on a trace's row: all filters except those with queries of their own. */
type ExcludedInRow = Exclude<Excludable, OwnQuery>;
const EXCLUDED_IN_ROW = EXCLUDABLE.filter((name): name is ExcludedInRow => Object.hasOwn(FILTERS, name));

/** An excluded value, with the filter's condition and row test, both to be negated. */
interface Excluded {
  readonly name: string;
  readonly sql: string;
  readonly param: QueryParams[string];
  readonly matches: RowTest | typeof NOT_IN_ROW;
}

function listExcluded<Name extends ExcludedInRow>({ excluded = {} }: Filters, name: Name): Excluded[] {
  const { sql, param, matches } = FILTERS[name];
  const given: { readonly [Each in ExcludedInRow]?: readonly Values[Each][] } = excluded;
  return (given[name] ?? []).map((value) => ({
    name,
    sql: typeof sql === 'string' ? sql : sql(value),
    param: param(value),
    matches: matches === NOT_IN_ROW ? NOT_IN_ROW : matches(value),
  }));
}

/**
 * Builds a test for the rows that {@link buildFilterConditions} would find. Filters that need fields outside the row are not tested; see
 * {@link asksStore}.
 */
export function buildRowFilter(filters: Filters): RowTest {
  const tests: RowTest[] = [];
  const add = <Name extends keyof Values>(name: Name) => {
    const value = setValue(filters, name);
    const { matches } = FILTERS[name];
    if (value !== undefined && matches !== NOT_IN_ROW) tests.push(matches(value));
  };
  for (const name of NAMES) add(name);
  for (const { matches } of EXCLUDED_IN_ROW.flatMap((name) => listExcluded(filters, name))) {
    if (matches !== NOT_IN_ROW) tests.push((row) => !matches(row));
  }
  return (row) => tests.every((passes) => passes(row));
}

/** True if the filters need a query, because a row lacks the fields. */
export function asksStore(filters: Filters): boolean {
  return (
    isOfSteps(filters) ||
    isOfCallers(filters) ||
    listValueSearches(filters).length > 0 ||
    (filters.excluded?.stepName ?? filters.excluded?.attribute) !== undefined ||
    NAMES.some(
      (name) =>
        FILTERS[name].matches === NOT_IN_ROW &&
        (setValue(filters, name) !== undefined ||
          EXCLUDED_IN_ROW.some((one) => one === name && filters.excluded?.[one])),
    )
  );
}

/** Treats an empty string as not set. */
function setValue<Name extends keyof Values>(filters: Filters, name: Name): Values[Name] | undefined {
  const given: { readonly [Each in keyof Values]?: Values[Each] | undefined } = filters;
  const value = given[name];
  return value === '' ? undefined : value;
}

/** The searches over captured values: for a value, and for an excluded value. */
function listValueSearches({ value = '', excluded }: Filters): readonly string[] {
  return [value, ...(excluded?.value ?? [])].filter((written) => written !== '');
}

const NAMES = Object.keys(FILTERS) as readonly (keyof Values)[];
