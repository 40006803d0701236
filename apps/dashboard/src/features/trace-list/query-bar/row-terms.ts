import { findQueryField, type QueryTerm, type TraceRow, writeTerm } from '@throughline/contract';

/**
 * Lists the terms for a row's values: terms that filter for the values or, if `excluded` is true, terms that exclude them. Leaves out
 * fields whose values cannot be excluded.
 */
export function listRowTerms(row: TraceRow, excluded: boolean): readonly QueryTerm[] {
  const { request, response, service, environment, release, userId, sessionId, country, instance } = row;
  const values: readonly (readonly [string, string | number | null])[] = [
    ['status', response.statusCode],
    ['method', request.method],
    ['route', request.route],
    ['user', userId],
    ['service', service],
    ['environment', environment],
    ['release', release],
    ['country', country],
    ['session', sessionId],
    ['instance', instance],
  ];
  return values
    .filter(([name]) => !excluded || findQueryField(name)?.negation === 'values')
    .flatMap(([name, value]) =>
      value === null || value === '' ? [] : [writeTerm(name, String(value), excluded)],
    );
}
