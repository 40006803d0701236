import { EXCLUDABLE, type QueryFilters, type SingleFilters } from './query-field.ts';
import { QUERY_FIELDS, TEXT_FIELD } from './query-fields.ts';
import { quoteText, quoteValue } from './query-tokens.ts';

/** One term of a query: its text, field and value. */
export interface QueryTerm {
  readonly text: string;
  readonly field: string;
  readonly value: string;
  readonly excluded: boolean;
}

/** Lists the query terms that produce the filters, each in the form a user would type. */
export function listQueryTerms({ excluded = {}, ...single }: QueryFilters): readonly QueryTerm[] {
  const left = EXCLUDABLE.flatMap((name) => (excluded[name] ?? []).map((value) => ({ [name]: value })));
  return QUERY_FIELDS.flatMap((field) => [
    ...field.write(single).map((written) => writeTerm(field.name, written.value, written.excluded ?? false)),
    ...(field.negation === 'values'
      ? left.flatMap((one: SingleFilters) =>
          field.write(one).map(({ value }) => writeTerm(field.name, value, true)),
        )
      : []),
  ]);
}

/** Formats filters as a query. {@link parseTraceQuery} parses that query into the same filters. */
export function formatTraceQuery(filters: QueryFilters): string {
  return listQueryTerms(filters)
    .map(({ text }) => text)
    .join(' ');
}

/** Formats one term such as `-instance:w3`. */
export function writeTerm(field: string, value: string, excluded: boolean): QueryTerm {
  const text =
    field === TEXT_FIELD.name ? quoteText(value) : `${excluded ? '-' : ''}${field}:${quoteValue(value)}`;
  return { text, field, value, excluded };
}
