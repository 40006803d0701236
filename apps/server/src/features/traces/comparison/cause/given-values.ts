import type { CapturedValue } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import type { Finding } from '../walk-differences.ts';

/** The values in a request's query, body, headers and path, each as JSON. */
export type GivenValues = ReadonlySet<string>;

/** Maximum number of values that are collected: a body can contain millions. */
const MAX_GIVEN = 5_000;

export function collectGiven(parts: readonly (CapturedValue | undefined)[], path: string): GivenValues {
  const given = new Set<string>();
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    given.add(JSON.stringify(segment));
    if (Number.isFinite(Number(segment))) given.add(segment);
  }
  const pending: CapturedValue[] = parts.filter((part) => part !== undefined);
  for (let count = 0; count < MAX_GIVEN; count += 1) {
    const value = pending.pop();
    if (value === undefined) break;
    const { children } = listParts(value);
    if (children.length === 0) given.add(JSON.stringify(value));
    for (const child of children) pending.push(child.value);
  }
  return given;
}

/** True if the client sent the finding's value in the request. */
export function isGiven(finding: Finding, given: GivenValues): boolean {
  if (finding.kind !== 'value') return false;
  const { value } = finding.difference;
  return value !== undefined && given.has(JSON.stringify(value));
}
