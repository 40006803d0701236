import type { Step } from '@throughline/contract';
import { findSql, getMember } from '../step/step-query.ts';

const REASONS =
  'They are left out if the query can contain a secret, if they are too large, or if an older version of the SDK recorded the request.';

/**
 * Explains why the rows or the values of parameters of an SQL query are missing. Undefined if none are missing, and for steps that the SDK
 * did not record, which never have rows.
 */
export function describeMissingQueryValues(step: Step): string | undefined {
  const statement = getMember(step.inputs, 'statement');
  if (typeof statement !== 'string' || findSql(step) === undefined) return undefined;
  // A question mark can also stand for a literal that the SDK removed, so only a numbered placeholder is surely a parameter.
  const hasParameters = /\$\d/.test(statement);
  const lacksValues = hasParameters && getMember(step.inputs, 'values') === undefined;
  const rows = getMember(step.outputs, 'rows');
  const isRead = /\b(?:select|returning)\b/i.test(statement);
  const lacksRows =
    isRead && typeof rows === 'number' && rows > 0 && getMember(step.outputs, 'firstRows') === undefined;
  if (!lacksValues && !lacksRows) return undefined;
  const missing = [
    ...(lacksValues ? ['the values of the parameters'] : []),
    ...(lacksRows ? ['the rows'] : []),
  ];
  return `Not shown: ${missing.join(' and ')}. ${REASONS}`;
}
