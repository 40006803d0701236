import type { DecidedFinding, Finding, FindingDecision } from '@throughline/contract';
import { timeOfTraceId } from '../../../platform/trace-store/index.ts';
import type { EarlierFinding } from '../error-unit.ts';

/** A decision with its times as dates. */
export interface Decided {
  readonly state: FindingDecision['state'];
  readonly until: Date | null;
  readonly at: Date;
  readonly by: string | null;
}

/** A stored decision. `open` cancels the finding's earlier decision. */
export interface StoredDecision extends Omit<Decided, 'state'> {
  readonly state: Decided['state'] | 'open';
}

/** The range whose requests were examined. */
export interface Examined {
  readonly from: Date;
  readonly until: Date;
}

const HOUR_MS = 3_600_000;

/** Separates the findings that a decision hides, and marks the findings that reappeared after they were fixed. */
export function splitFindings(
  all: readonly Finding[],
  decisions: ReadonlyMap<string, StoredDecision>,
  range: Examined,
  now: Date,
  earlier: ReadonlyMap<string, EarlierFinding> = new Map(),
): { readonly findings: Finding[]; readonly hidden: DecidedFinding[]; readonly returned: string[] } {
  const findings: Finding[] = [];
  const hidden: DecidedFinding[] = [];
  const returned: string[] = [];
  for (const finding of all) {
    const decision = findOwnDecision(finding.id, decisions, earlier.get(finding.id));
    const isBack = decision?.state === 'fixed' && isSeenAgain(finding, decision.at, range);
    if (decision === undefined || isBack || isOver(decision, now)) findings.push(finding);
    else hidden.push({ finding, decision: describeDecision(decision) });
    if (isBack) returned.push(finding.id);
  }
  return { findings, hidden, returned };
}

/** Finds the decision about a finding. An earlier version of the server can have stored the decision under another id. */
function findOwnDecision(
  id: string,
  decisions: ReadonlyMap<string, StoredDecision>,
  earlier: EarlierFinding | undefined,
): Decided | undefined {
  const ofEarlier = decisions.get(earlier?.id ?? '');
  const isAbout = ofEarlier !== undefined && ofEarlier.at.getTime() >= (earlier?.fromMs ?? 0);
  const stored = decisions.get(id) ?? (isAbout ? ofEarlier : undefined);
  if (stored === undefined || stored.state === 'open') return undefined;
  return { ...stored, state: stored.state };
}

export function describeDecision({ state, until, at, by }: Decided): FindingDecision {
  return { state, until: until?.toISOString() ?? null, at: at.toISOString(), by };
}

function isOver({ until }: Decided, now: Date): boolean {
  return until !== null && until <= now;
}

/**
 * True if requests after the fix have the problem. If the range begins before the fix, the finding's stats include requests from before the
 * fix. The finding then needs other evidence: it began after the fix, a new error occurred after the fix, the compared window began after
 * the fix, or an example request is later than the fix.
 */
export function isSeenAgain(finding: Finding, fixedAt: Date, { from, until }: Examined): boolean {
  const fixed = fixedAt.getTime();
  if (Date.parse(finding.since) > fixed || from.getTime() >= fixed) return true;
  switch (finding.kind) {
    case 'newError':
      return Date.parse(finding.evidence.lastOccurrence) > fixed;
    case 'changed':
      // If releases were compared, the start of the compared hours is unknown, because the last request of a release can be long before the
      // end of the range.
      if (finding.evidence.against === 'release') return false;
      return until.getTime() - finding.evidence.windowHours * HOUR_MS >= fixed;
    case 'repeatedQuery':
    case 'sequentialAwaits':
      return finding.exampleTraceIds.some((id) => timeOfTraceId(id) > fixed);
    case 'slower':
      return false;
  }
}
