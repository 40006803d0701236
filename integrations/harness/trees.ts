import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';

/** Returns the step names as a nested list. */
export function tree(trace: PostedTrace, parent: string | null = null): unknown[] {
  return trace.flow
    .filter((step) => step.parentStepId === parent)
    .map((step) => {
      const below = tree(trace, step.stepId);
      return below.length === 0 ? step.stepName : [step.stepName, ...below];
    });
}

/** Returns the first step with this name. */
export function step(trace: PostedTrace, name: string): PostedStep {
  const found = trace.flow.find((candidate) => candidate.stepName === name);
  if (found === undefined)
    throw new Error(`no step ${name} in ${trace.flow.map((one) => one.stepName).join(', ')}`);
  return found;
}

/** Returns the number of the line in a fixture that contains `text`. */
export function findLine(file: string, text: string): number {
  const lines = readFileSync(join(import.meta.dirname, '..', 'fixtures', file), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}
