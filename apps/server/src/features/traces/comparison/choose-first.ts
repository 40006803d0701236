import type { CapturedValue } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import type { Finding } from './walk-differences.ts';

/**
 * Chooses the difference that is nearest to the cause: the first one that no successful request shows. A value that the request itself brought along
 * differs by right, unless it is of a kind that no other request brought; so a later difference is preferred to it.
 */
export function chooseFirst(findings: readonly Finding[], given: GivenValues): Finding | undefined {
  const untilError = cutAfterError(findings);
  return (
    untilError.find((finding) => isTelling(finding, given)) ??
    untilError.find((finding) => isDifferent(finding) && !isGiven(finding, given)) ??
    untilError.find(isDifferent)
  );
}

/** After a function failed in one request alone, the rest of both differs by that. */
function cutAfterError(findings: readonly Finding[]): readonly Finding[] {
  const error = findings.findIndex(
    (finding) => finding.kind === 'value' && finding.difference.part === 'error',
  );
  return error < 0 ? findings : findings.slice(0, error + 1);
}

function isTelling(finding: Finding, given: GivenValues): boolean {
  if (finding.kind !== 'value') return true;
  const { part, judgement } = finding.difference;
  if (part === 'error' || judgement === 'unusual') return true;
  return judgement === 'unseen' && !isGiven(finding, given);
}

function isDifferent(finding: Finding): boolean {
  return finding.kind === 'value' && finding.difference.judgement !== 'ordinary';
}

function isGiven(finding: Finding, given: GivenValues): boolean {
  if (finding.kind !== 'value') return false;
  const { value } = finding.difference;
  return value !== undefined && given.has(JSON.stringify(value));
}

/** The values of a request's query, body and path, each as JSON. */
export type GivenValues = ReadonlySet<string>;

/** More are not looked at: a body can hold millions. */
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
