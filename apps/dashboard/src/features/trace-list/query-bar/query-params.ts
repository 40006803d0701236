import {
  formatTraceQuery,
  listQueryTerms,
  parseTraceQuery,
  type QueryFilters,
  type QueryProblem,
  type QueryTerm,
  type SingleFilters,
} from '@throughline/contract';
import {
  readTraceFilterParams,
  TraceFilterParams,
  type ViewChange,
} from '../../../shell/url-state/search-params.ts';

/** Filters whose URL parameter has a different name from their API parameter. */
const PARAM_NAMES: { readonly [Name in keyof SingleFilters]?: keyof TraceFilterParams } = {
  search: 'q',
  statusCode: 'code',
  minDuration: 'min',
  maxDuration: 'max',
};

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
  if (excluded === undefined) return { change: writeParams(single) };
  const exclude = [view.exclude ?? '', formatTraceQuery({ excluded })].join(' ').trim();
  const all = parseTraceQuery(exclude);
  if (all.problem !== undefined) return { problem: { ...all.problem, start: 0, end: text.length } };
  return { change: { ...writeParams(single), exclude: formatTraceQuery(all.filters) } };
}

/** Removes a term's filter from a URL. */
export function removeTerm(view: TraceFilterParams, term: QueryTerm): ViewChange {
  const { excluded, ...single } = parseTraceQuery(term.text).filters ?? {};
  const cleared = Object.fromEntries(Object.keys(writeParams(single)).map((name) => [name, undefined]));
  if (excluded === undefined) return cleared;
  const left = listQueryTerms(readExcluded(view.exclude)).filter(({ text }) => text !== term.text);
  return { exclude: left.length === 0 ? undefined : left.map(({ text }) => text).join(' ') };
}

function writeParams(single: SingleFilters): ViewChange {
  const given = Object.entries(single).map(([name, value]): [string, string] => [
    PARAM_NAMES[name as keyof SingleFilters] ?? name,
    String(value),
  ]);
  const read: Readonly<Record<string, unknown>> = TraceFilterParams.parse(Object.fromEntries(given));
  return Object.fromEntries(given.map(([name]) => [name, read[name]]));
}
