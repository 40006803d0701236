import type { ComparedStep } from '@throughline/contract';

/** A line of a comparison: one call, or a run of equal calls that only one request made. */
export interface ComparedRow {
  readonly key: string;
  readonly step: ComparedStep;
  /** Calls that the line stands for. */
  readonly count: number;
  /** Milliseconds of all of them; null on a side without the call. */
  readonly ms: number | null;
  readonly otherMs: number | null;
}

/** Fewer equal calls are listed one by one. */
const MIN_FOLDED = 3;

/** Lists the calls of a comparison, with runs of equal calls as one line. A call with an unusual value is never folded. */
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

/** A call that made others, or differs, stays a line of its own. */
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
  if (step === undefined) throw new Error('a line stands for at least one call');
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

/** Names a call: by its step here, else by its step in the other request. */
export function buildKey({ step, other }: Pick<ComparedStep, 'step' | 'other'>): string {
  return step === null ? `other ${other}` : step;
}
