import {
  formatTraceQuery,
  listQueryTerms,
  parseTraceQuery,
  type QueryFilters,
  type QueryProblem,
  type QueryTerm,
  type SingleFilters,
  toListParams,
} from '@throughline/contract';
import {
  readTraceFilterParams,
  TraceFilterParams,
  type ViewChange,
} from '../../../shell/url-state/search-params.ts';

/** Reads all filters from a URL except the time range and the excluded values. Each of these filters is also a single API parameter. */
export function readSingleFilters(view: TraceFilterParams): SingleFilters {
  const { q, from, to, start, end, last, min, max, code, minCalls, minSteps, maxSteps, exclude, ...same } =
    readTraceFilterParams(view);
  return {
    ...same,
    search: q,
    statusCode: parseNumber(code),
    minDuration: parseNumber(min),
    maxDuration: parseNumber(max),
    minCalls: parseNumber(minCalls),
    minSteps: parseNumber(minSteps),
    maxSteps: parseNumber(maxSteps),
  };
}

function parseNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Lists a URL's filters as the terms that a user would type. */
export function listActiveTerms(view: TraceFilterParams): readonly QueryTerm[] {
  return listQueryTerms({ ...readSingleFilters(view), ...readExcluded(view.exclude) });
}

function readExcluded(exclude = ''): Pick<QueryFilters, 'excluded'> {
  const excluded = parseTraceQuery(exclude).filters?.excluded;
  return excluded === undefined ? {} : { excluded };
}

export type QueryChange =
  | { readonly change: ViewChange; readonly problem?: never }
  | { readonly change?: never; readonly problem: QueryProblem };

/** Adds a typed query to a URL: a filter with one value replaces the previous value, excluded values are added. */
export function addQuery(view: TraceFilterParams, text: string): QueryChange {
  const { filters, problem } = parseTraceQuery(text);
  if (problem !== undefined) return { problem };
  const { excluded, ...single } = filters;
  if (excluded === undefined) return { change: writeFilters(single) };
  const exclude = [view.exclude ?? '', formatTraceQuery({ excluded })].join(' ').trim();
  const all = parseTraceQuery(exclude);
  if (all.problem !== undefined) return { problem: { ...all.problem, start: 0, end: text.length } };
  return { change: { ...writeFilters(single), exclude: formatTraceQuery(all.filters) } };
}

/** Removes a term's filter from a URL. */
export function removeTerm(view: TraceFilterParams, term: QueryTerm): ViewChange {
  const { excluded, ...single } = parseTraceQuery(term.text).filters ?? {};
  const cleared = Object.fromEntries(Object.keys(writeFilters(single)).map((name) => [name, undefined]));
  if (excluded === undefined) return cleared;
  const left = listQueryTerms(readExcluded(view.exclude)).filter(({ text }) => text !== term.text);
  return { exclude: left.length === 0 ? undefined : left.map(({ text }) => text).join(' ') };
}

/** Returns the URL parameters that set the given filters. */
export function writeFilters(filters: QueryFilters): ViewChange {
  const given = toListParams(filters);
  const read: Readonly<Record<string, unknown>> = TraceFilterParams.parse(given);
  return Object.fromEntries(Object.keys(given).map((name) => [name, read[name]]));
}
