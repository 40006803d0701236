import type { ComparedStep } from '@throughline/contract';

/**
 * A row of a comparison: one call, or a run of equal calls. Each row stands for calls that both requests made, or that only one of them
 * made.
 */
export interface ComparedRow {
  readonly key: string;
  readonly step: ComparedStep;
  /** The number of calls that the row represents. */
  readonly count: number;
  /** The calls' total duration in milliseconds; null for the request that did not make the call. */
  readonly ms: number | null;
  readonly otherMs: number | null;
}

/** Shorter runs of equal calls are listed individually. */
const MIN_FOLDED = 3;

/** Lists the calls of a comparison, with each run of equal calls as one row. A call with an unusual value always has a row of its own. */
export function listComparedRows(steps: readonly ComparedStep[]): ComparedRow[] {
  const rows: ComparedRow[] = [];
  for (let at = 0; at < steps.length; ) {
    const run = measureRun(steps, at);
    const members = steps.slice(at, at + run);
    if (run >= MIN_FOLDED) rows.push(buildRow(members));
    else rows.push(...members.map((step) => buildRow([step])));
    at += run;
  }
  return rows;
}

function measureRun(steps: readonly ComparedStep[], from: number): number {
  const first = steps[from];
  if (first === undefined || !canFold(steps, from)) return 1;
  let to = from + 1;
  for (let next = steps[to]; next !== undefined && isAlike(first, next) && canFold(steps, to); ) {
    to += 1;
    next = steps[to];
  }
  return to - from;
}

/** True if the call can share a row: it made no other calls, has no unusual value, and failed in both requests or in neither. */
function canFold(steps: readonly ComparedStep[], at: number): boolean {
  const [step, next] = [steps[at], steps[at + 1]];
  if (step === undefined || step.unusual > 0 || step.failed !== step.otherFailed) return false;
  return next === undefined || next.depth <= step.depth;
}

function isAlike(a: ComparedStep, b: ComparedStep): boolean {
  return (
    a.name === b.name &&
    a.type === b.type &&
    a.depth === b.depth &&
    (a.step === null) === (b.step === null) &&
    (a.other === null) === (b.other === null)
  );
}

function buildRow(members: readonly ComparedStep[]): ComparedRow {
  const [step] = members;
  if (step === undefined) throw new Error('a compared row has no calls');
  const sum = (pick: (member: ComparedStep) => number | null) =>
    members.reduce<number | null>((total, member) => {
      const ms = pick(member);
      return ms === null ? total : (total ?? 0) + ms;
    }, null);
  return {
    key: buildKey(step),
    step,
    count: members.length,
    ms: sum(({ duration }) => duration),
    otherMs: sum(({ otherDuration }) => otherDuration),
  };
}

/** Returns the key of a call: from its step in this request, otherwise from its step in the other request. */
export function buildKey({ step, other }: Pick<ComparedStep, 'step' | 'other'>): string {
  return step === null ? `other ${other}` : step;
}
