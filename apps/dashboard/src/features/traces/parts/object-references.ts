import type { Step } from '@throughline/contract';

/** A captured value that is the same object as a value of an earlier step. */
export interface ObjectReference {
  /** The name of the value in this step: the name of a variable, `return value` or `this`. */
  readonly name: string;
  readonly step: Step;
  /** The name of the object in the earlier step. */
  readonly nameThere: string;
}

/** Lists the object references of a step. Skips malformed references and references to steps that the trace lacks. */
export function listObjectReferences(step: Step, flow: readonly Step[]): readonly ObjectReference[] {
  const seen = step.variables?.seenBefore;
  if (typeof seen !== 'object' || seen === null) return [];
  return Object.entries(seen).flatMap(([name, origin]: [string, unknown]) => {
    if (!Array.isArray(origin)) return [];
    const [stepId, nameThere]: unknown[] = origin;
    const there = flow.find((candidate) => candidate.stepId === stepId);
    if (there === undefined || typeof nameThere !== 'string') return [];
    return [{ name: formatName(name), step: there, nameThere: formatName(nameThere) }];
  });
}

function formatName(name: string): string {
  return name === 'return' ? 'return value' : name;
}
