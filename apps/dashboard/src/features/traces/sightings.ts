import type { Step } from '@throughline/contract';

/** A value of a step that is the very object which another step showed before. */
export interface Sighting {
  /** What it is called here: a binding, `return value` or `this`. */
  readonly name: string;
  readonly step: Step;
  /** What it is called there. */
  readonly nameThere: string;
}

/** What the step says of objects seen before, as far as it is well-formed and the trace has the steps that it names. */
export function sightings(step: Step, flow: readonly Step[]): readonly Sighting[] {
  const seen = step.variables?.seenBefore;
  if (typeof seen !== 'object' || seen === null) return [];
  return Object.entries(seen).flatMap(([name, origin]: [string, unknown]) => {
    if (!Array.isArray(origin)) return [];
    const [stepId, nameThere]: unknown[] = origin;
    const there = flow.find((candidate) => candidate.stepId === stepId);
    if (there === undefined || typeof nameThere !== 'string') return [];
    return [{ name: inWords(name), step: there, nameThere: inWords(nameThere) }];
  });
}

function inWords(name: string): string {
  return name === 'return' ? 'return value' : name;
}
