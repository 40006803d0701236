import { findQueryField, QUERY_FIELDS, writeTerm } from '@throughline/contract';

/** A string that can replace the term at the caret. */
export interface Completion {
  readonly text: string;
  readonly about: string;
  /** The query with the completion, and the new position of the caret. */
  readonly query: string;
  readonly caret: number;
  /** True for a value, which completes its term; false for a field, which still needs a value. */
  readonly isTerm: boolean;
}

const MAX_COMPLETIONS = 30;
const TERM = /(?:^|\s)(-?)(?:([a-z]+):)?("[^"]*|[^\s"]*)$/i;

/** Returns completions: fields for the beginning of a term, and a field's values after its colon. */
export function completeQuery(
  query: string,
  caret: number,
  listValues: (field: string) => readonly string[],
  /** Returns false for a field that the completion must not offer. */
  isOffered: (field: string, excluded: boolean) => boolean = () => true,
): readonly Completion[] {
  const found = TERM.exec(query.slice(0, caret));
  if (found === null) return [];
  const [, minus = '', named, value = ''] = found;
  const start = caret - minus.length - (named === undefined ? 0 : named.length + 1) - value.length;
  const excluded = minus !== '';
  const complete = (text: string, about: string, isTerm: boolean): Completion => {
    const before = query.slice(0, start) + text;
    return { text, about, query: before + query.slice(caret), caret: before.length, isTerm };
  };
  if (named === undefined) {
    return QUERY_FIELDS.filter(
      ({ name, negation }) =>
        !(excluded && negation === 'none') && startsLike(name, value) && isOffered(name, excluded),
    ).map(({ name, about }) => complete(`${minus}${name}:`, about, false));
  }
  const field = findQueryField(named);
  if (field === undefined || (excluded && field.negation === 'none')) return [];
  if (!isOffered(field.name, excluded)) return [];
  const typed = value.replace(/^"/, '').toLowerCase();
  const values = [...new Set([...field.values, ...listValues(field.name)])];
  return values
    .filter((one) => one.toLowerCase().includes(typed))
    .slice(0, MAX_COMPLETIONS)
    .map((one) => complete(writeTerm(field.name, one, excluded).text, '', true));
}

function startsLike(name: string, typed: string): boolean {
  return name.toLowerCase().startsWith(typed.toLowerCase());
}
