import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../write-values.ts';

/** Values that variables are declared with before they get their result. */
const INITIAL = new Set(['0', '""', 'null', 'false', '[]', '{}', '{"$type":"undefined"}']);
/** The SDK names a variable of a block, if another variable has its name, with its line. */
const IN_BLOCK = /^(.+)@(\d+)$/;

/** Finds a function that returned the first value of a variable, while a variable of the same name in a block had the result. */
export function findShadowed(step: Step): ComparisonStatement | undefined {
  const result = readResult(step);
  const { localVariables } = step.variables ?? {};
  if (result === undefined || localVariables === undefined || !INITIAL.has(JSON.stringify(result)))
    return undefined;
  const variables = new Map(
    listParts(localVariables).children.flatMap(({ label, value }) =>
      label.kind === 'key' ? [[label.text, value] as const] : [],
    ),
  );
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

function isEqual(a: CapturedValue | undefined, b: CapturedValue): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
