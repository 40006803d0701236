import { formatTraceQuery } from '../traces/query/format-query.ts';
import { parseTraceQuery } from '../traces/query/parse-query.ts';
import { findQueryField, TEXT_FIELD } from '../traces/query/query-fields.ts';
import { type QueryProblem, type QueryToken, readTokens } from '../traces/query/query-tokens.ts';
import type { AlertKind } from './alert-kinds.ts';

/** Maximum length of the filter of an alert rule. Messages and the list of alerts show the filter. */
export const MAX_ALERT_FILTER_LENGTH = 2000;

/** The fields of a rule that decide which terms the filter of the rule can contain. */
export interface FilteredRule {
  readonly kind: AlertKind;
  readonly service: string | null;
  readonly environment: string | null;
  readonly endpoint: string | null;
}

/**
 * Fields whose values are not in the row of a request, such as the request's steps. A search for such a value over many days, once a
 * minute, would take too long. Kinds in `SEARCHES_DAYS` therefore cannot use these fields.
 */
const SLOW_FIELDS: ReadonlySet<string> = new Set([
  'step',
  'stepType',
  'stepStatus',
  'dependency',
  'calls',
  'attribute',
  'caller',
]);
/** Kinds of alerts that search the requests of many days. Other kinds with a filter search only the requests of the last minutes. */
const SEARCHES_DAYS: ReadonlySet<AlertKind> = new Set(['new_error', 'reopened_error', 'no_traffic']);
/** Fields that tell if a request failed. A filter on such a field matches only failed requests, or only successful requests. */
const OUTCOME_FIELDS: ReadonlySet<string> = new Set(['status', 'error', 'errorGroup', 'errorId']);
/** For some fields of a rule, the fields of the filter language that restrict the same property of a request. */
const SCOPE_FIELDS = {
  service: ['service'],
  environment: ['environment'],
  endpoint: ['endpoint', 'method'],
} as const satisfies Partial<Record<keyof FilteredRule, readonly string[]>>;

/** False for kinds of rules that have no filter. Insights are found in hourly stats, which do not know the fields of a request. */
export function hasFilter(kind: AlertKind): boolean {
  return kind !== 'insight';
}

/** Returns an error message with the fix if the filter of the rule cannot contain the field; otherwise undefined. */
export function explainRefusedField(
  rule: FilteredRule,
  field: string,
  excluded: boolean,
): string | undefined {
  if (!hasFilter(rule.kind))
    return `“${field}” cannot be used here: alerts on insights have no filter. Choose a service, environment or endpoint instead.`;
  if (field === 'value')
    return '“value” cannot be used in alerts: a search over captured values each minute would take too long. Remove this term.';
  if (field === 'id')
    return '“id” cannot be used in alerts: alerts are about future requests. Remove this term.';
  if (SEARCHES_DAYS.has(rule.kind) && SLOW_FIELDS.has(field))
    return `“${field}” can only be used in alerts on the error rate or P95: other alerts search many days each minute. Remove this term.`;
  if (rule.kind === 'error_rate' && !excluded && OUTCOME_FIELDS.has(field))
    return `“${field}” would always make the error rate 0 % or 100 %. Remove this term, or exclude it with a minus.`;
  for (const [name, fields] of Object.entries(SCOPE_FIELDS)) {
    const isSet = (rule[name as keyof typeof SCOPE_FIELDS] ?? '') !== '';
    if (isSet && !excluded && fields.some((one) => one === field))
      return `“${field}” is also set by the ${name} of the alert. Remove one of them.`;
  }
  return undefined;
}

/** Finds the first problem of an alert's filter: a mistake in the language, or a term that {@link explainRefusedField} refuses. */
export function findAlertFilterProblem(rule: FilteredRule, filter: string): QueryProblem | undefined {
  const { problem } = parseTraceQuery(filter);
  if (problem !== undefined) return problem;
  for (const token of readTokens(filter).tokens) {
    const message = explainRefusedField(rule, nameField(token), token.excluded);
    if (message !== undefined) return { start: token.start, end: token.end, message };
  }
  return undefined;
}

/** Returns the field of a term. `has:caller` searches for callers like the field `caller`. */
function nameField({ field, value }: QueryToken): string {
  if (field === undefined) return TEXT_FIELD.name;
  const name = findQueryField(field.name)?.name ?? field.name;
  return name === 'has' && value.text.toLowerCase() === 'caller' ? 'caller' : name;
}

/** Formats a valid filter as it is stored and shown; null if the filter has no terms. */
export function formatAlertFilter(filter: string | null): string | null {
  const formatted = formatTraceQuery(parseTraceQuery(filter ?? '').filters ?? {});
  return formatted === '' ? null : formatted;
}
