import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { formatPath, listParts } from '@throughline/contract/captured';
import { readMembers, readResult } from '../compare-values.ts';
import { oncePer } from '../once-per.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Minimum number of other calls. In fewer calls, the variable and the input could be equal by chance. */
const MIN_CALLS = 3;
const MIN_VALUES = 2;
/** Stands for the return value among the variables. No variable can have this name. */
const RESULT = 'return value';
/** Maximum depth and number of the inputs that are read, and maximum number of empty inputs that are compared with variables. */
const LIMITS = { depth: 3, inputs: 50, empty: 20 } as const;

/** Excludes booleans, because two booleans are often equal by chance. */
type Simple = string | number;
/** The inputs by their paths, such as `order.quantity`. */
type Inputs = ReadonlyMap<string, Simple>;

/**
 * Finds a variable or return value that differs from an input that is 0 or an empty string, although the two were equal in all other calls.
 * A default has probably replaced the input, as `||` does.
 */
export function findReplaced(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  if (calls.length < MIN_CALLS) return undefined;
  const { inputs, variables } = readCall(step);
  const empty = [...inputs].filter(([, value]) => !value).slice(0, LIMITS.empty);
  if (empty.length === 0) return undefined;
  const others = calls.map(readCall);
  for (const [name, value] of variables) {
    if (!isSimple(value) || !value) continue;
    if (new Set(others.map((other) => other.variables.get(name))).size < MIN_VALUES) continue;
    for (const [path, input] of empty) {
      if (typeof value !== typeof input) continue;
      if (!isAlwaysEqual(name, path, others)) continue;
      return {
        text:
          name === RESULT
            ? `\`${path}\` is ${writeSide(input)}, but \`${nameStep(step)}\` returned ${writeSide(value)}; in other calls it always returned the value of \`${path}\``
            : `\`${path}\` is ${writeSide(input)} in \`${nameStep(step)}\`, but \`${name}\` is ${writeSide(value)}; in other calls \`${name}\` always has the value of \`${path}\``,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

interface ReadCall {
  readonly inputs: Inputs;
  readonly variables: ReadonlyMap<string, CapturedValue>;
}

const readCall = oncePer(
  (step: Step): ReadCall => ({
    inputs: readInputs(step),
    variables: readOutputs(step),
  }),
);

/** Reads the variables, and the return value if it is no object. */
function readOutputs(step: Step): ReadonlyMap<string, CapturedValue> {
  const result = readResult(step);
  const variables = readMembers(step.variables?.localVariables);
  return result !== undefined && isSimple(result) ? new Map([...variables, [RESULT, result]]) : variables;
}

/** True if a variable has the value of an input in all calls with this input, and the input is not the same in all of these calls. */
function isAlwaysEqual(name: string, path: string, others: readonly ReadCall[]): boolean {
  const values = new Set<Simple>();
  let calls = 0;
  for (const { inputs, variables } of others) {
    const input = inputs.get(path);
    if (input === undefined) continue;
    if (variables.get(name) !== input) return false;
    values.add(input);
    calls += 1;
  }
  return calls >= MIN_CALLS && values.size >= MIN_VALUES;
}

function readInputs(step: Step): Inputs {
  const found = new Map<string, Simple>();
  const pending: { readonly path: readonly (string | number)[]; readonly value: CapturedValue }[] =
    step.inputs === undefined ? [] : [{ path: [], value: step.inputs }];
  for (let next = pending.shift(); next !== undefined && found.size < LIMITS.inputs; next = pending.shift()) {
    const { path, value } = next;
    const text = formatPath(path);
    if (isSimple(value) && !found.has(text)) found.set(text, value);
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
