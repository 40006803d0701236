import { findNearestWord } from './nearest-word.ts';
import {
  EXCLUDABLE,
  type Excludable,
  type ExcludedValues,
  type QueryField,
  type QueryFilters,
  type SingleFilters,
} from './query-field.ts';
import { findQueryField, QUERY_FIELDS, TEXT_FIELD } from './query-fields.ts';
import { type QueryProblem, type QueryToken, quoteValue, readTokens } from './query-tokens.ts';

/** Maximum number of excluded values in a query, because each one is compared with every row. */
export const MAX_EXCLUDED = 50;
/** Maximum number of excluded steps, and of excluded attributes, because each of them is a search of its own. */
export const MAX_EXCLUDED_SEARCHES = 5;
/** Fields of which fewer values can be excluded, and the words for these values in the error message. */
const SEARCHED: { readonly [Name in Excludable]?: { readonly max: number; readonly named: string } } = {
  value: { max: 1, named: 'one captured value' },
  stepName: { max: MAX_EXCLUDED_SEARCHES, named: `${MAX_EXCLUDED_SEARCHES} steps` },
  attribute: { max: MAX_EXCLUDED_SEARCHES, named: `${MAX_EXCLUDED_SEARCHES} attributes` },
};

export type ParsedQuery =
  | { readonly filters: QueryFilters; readonly problem?: never }
  | { readonly filters?: never; readonly problem: QueryProblem };

/**
 * Parses a query such as `status:5xx route:/checkout -instance:w3` into filters, or returns its first
 * problem.
 */
export function parseTraceQuery(text: string): ParsedQuery {
  const { tokens, problem } = readTokens(text);
  const filters: Partial<SingleFilters> = {};
  const excluded: { [Name in Excludable]?: readonly unknown[] } = {};
  let exclusions = 0;
  for (const token of tokens) {
    const field = findField(token);
    if ('problem' in field) return field;
    const read = readTerm(field, token);
    if ('problem' in read) return read;
    const [name, value] = read.entry;
    if (token.excluded && field.negation === 'values') {
      const values = excluded[name as Excludable] ?? [];
      if (values.includes(value)) continue;
      const searched = SEARCHED[name as Excludable];
      if (searched !== undefined && values.length >= searched.max)
        return fail(token, `Exclude at most ${searched.named}. Remove one of them.`);
      excluded[name as Excludable] = [...values, value];
      exclusions += 1;
      if (exclusions > MAX_EXCLUDED) return fail(token, `Exclude at most ${MAX_EXCLUDED} values.`);
    } else if (filters[name] === undefined) Object.assign(filters, { [name]: value });
    else if (filters[name] !== value) return failTwice(field, token);
  }
  if (problem !== undefined) return { problem };
  const isExcluding = EXCLUDABLE.some((name) => excluded[name] !== undefined);
  // Safe cast: each value was parsed by the field that belongs to its filter.
  return { filters: { ...filters, ...(isExcluding && { excluded: excluded as ExcludedValues }) } };
}

/** Formats a problem on one line: the position, counted from 1, and how to fix the query. */
export function describeProblem({ start, end, message }: QueryProblem): string {
  const place = end - start > 1 ? `Characters ${start + 1} to ${end}` : `Character ${start + 1}`;
  return `${place}: ${message}`;
}

type Failure = { readonly problem: QueryProblem };

function fail(range: { start: number; end: number }, message: string, replacement?: string): Failure {
  const { start, end } = range;
  return { problem: { start, end, message, ...(replacement !== undefined && { replacement }) } };
}

function failTwice({ name }: QueryField, token: QueryToken): Failure {
  return name === TEXT_FIELD.name
    ? fail(token, 'Text is given twice. Put words that belong together in quotes, such as "two words".')
    : fail(token, `“${name}” is given twice. Remove one of them.`);
}

function findField({ field: named }: QueryToken): QueryField | Failure {
  if (named === undefined) return TEXT_FIELD;
  const field = findQueryField(named.name);
  if (field !== undefined) return field;
  const names = QUERY_FIELDS.map(({ name }) => name);
  const near = findNearestWord(named.name, names);
  const fix = near === undefined ? `Fields are ${names.join(', ')}.` : `Did you mean “${near}”?`;
  return fail(named, `Unknown field “${named.name}”. ${fix}`, near);
}

function readTerm(
  field: QueryField,
  { excluded, value, ...token }: QueryToken,
): { readonly entry: [keyof SingleFilters, unknown] } | Failure {
  if (value.text === '')
    return fail(token, `Write a value after “${field.name}:”, such as ${field.example}.`);
  if (excluded && field.negation === 'none') {
    const term = `${field.name}:${quoteValue(value.text)}`;
    return fail(token, `“${field.name}” cannot be excluded. Remove the minus.`, term);
  }
  const read = field.read(value.text, excluded);
  if (read.set === undefined) {
    const { message, replacement } = read.problem;
    return fail(value, message, replacement);
  }
  const [entry] = Object.entries(read.set);
  return entry === undefined
    ? fail(value, 'Write a value.')
    : { entry: entry as [keyof SingleFilters, unknown] };
}
