import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { formatPath, listParts } from '@throughline/contract/captured';
import { readMembers } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Minimum number of other calls. In fewer calls, the variable and the input could be equal by chance. */
const MIN_CALLS = 3;
const MIN_VALUES = 2;
/** Maximum depth and number of the inputs that are compared with variables. */
const LIMITS = { depth: 3, inputs: 50 } as const;

/** No booleans, because two booleans are often equal by chance. */
type Simple = string | number;
interface Input {
  readonly path: readonly (string | number)[];
  readonly value: Simple;
}

/**
 * Finds a variable that always had the value of an input in other calls, but has another value now that the input is 0 or an empty string.
 * A default has probably replaced the input, as `||` does.
 */
export function findReplaced(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const empty = listInputs(step).filter(({ value }) => !value);
  if (empty.length === 0 || calls.length < MIN_CALLS) return undefined;
  const others = calls.map((call) => ({
    inputs: listInputs(call),
    variables: readMembers(call.variables?.localVariables),
  }));
  for (const [name, value] of readMembers(step.variables?.localVariables)) {
    for (const input of empty) {
      if (!isSimple(value) || !value || typeof value !== typeof input.value) continue;
      const pairs = others
        .map(({ inputs, variables }) => [
          variables.get(name),
          inputs.find(({ path }) => formatPath(path) === formatPath(input.path))?.value,
        ])
        .filter(([, other]) => other !== undefined);
      const isAlways = pairs.every(([variable, other]) => variable !== undefined && variable === other);
      if (
        pairs.length < MIN_CALLS ||
        !isAlways ||
        new Set(pairs.map(([variable]) => variable)).size < MIN_VALUES
      )
        continue;
      return {
        text: `\`${formatPath(input.path)}\` is ${writeSide(input.value)} in \`${nameStep(step)}\`, but \`${name}\` is ${writeSide(value)}; in other calls \`${name}\` always has the value of \`${formatPath(input.path)}\``,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

function listInputs(step: Step): Input[] {
  const found: Input[] = [];
  const pending: { readonly path: readonly (string | number)[]; readonly value: CapturedValue }[] =
    step.inputs === undefined ? [] : [{ path: [], value: step.inputs }];
  for (
    let next = pending.shift();
    next !== undefined && found.length < LIMITS.inputs;
    next = pending.shift()
  ) {
    const { path, value } = next;
    if (isSimple(value)) found.push({ path, value });
    if (path.length >= LIMITS.depth) continue;
    for (const { label, value: below } of listParts(value).children) {
      if (label.kind === 'key') pending.push({ path: [...path, label.text], value: below });
    }
  }
  return found;
}

function isSimple(value: CapturedValue): value is Simple {
  return typeof value === 'string' || typeof value === 'number';
}
