import type { ComparisonStatement, Step } from '@throughline/contract';
import { readMembers, readResult } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Values that variables are declared with before they get their result. */
const INITIAL = new Set(['0', '""', 'null', 'false', '[]', '{}', '{"$type":"undefined"}']);
/** If a variable of a block has the same name as another variable, the SDK adds `@` and the line to the name. */
const IN_BLOCK = /^(.+)@(\d+)$/;

/**
 * Returns a statement if the call returned the initial value of a variable, but another variable of the same name, in a block, had a
 * different value.
 */
export function findShadowed(step: Step): ComparisonStatement | undefined {
  const result = readResult(step);
  if (result === undefined || !INITIAL.has(JSON.stringify(result))) return undefined;
  const variables = readMembers(step.variables?.localVariables);
  for (const [name, inner] of variables) {
    const [, outer = '', line] = IN_BLOCK.exec(name) ?? [];
    if (!isEqual(variables.get(outer), result) || INITIAL.has(JSON.stringify(inner))) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${writeSide(result)}, the value of its variable \`${outer}\`; another variable \`${outer}\` in line ${line} is ${writeSide(inner)}`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}
