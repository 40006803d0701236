import {
  type CapturedValue,
  type FindStep,
  JSON_NUMBER,
  type ValueCondition,
  withReferred,
} from '@throughline/contract';
import { listParts, parseBody } from '@throughline/contract/captured';
import type { BodyRow, StepRow } from './value-search-store.ts';

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;
type ReadStep = NonNullable<ReturnType<FindStep>> & { readonly name: string; readonly refers: boolean };

/** Maximum number of values that are visited per step. */
const MAX_VISITED = 50_000;

/**
 * Checks if a trace has a member at the end of the path `wanted.path`. A member's path consists of the step's name, the
 * part (such as `inputs`), and the names within the value; the part can be left out. Elements of lists have no names.
 */
export function hasValue(steps: readonly StepRow[], body: BodyRow | undefined, wanted: Member): boolean {
  if (body !== undefined && hasInBodies(body, wanted)) return true;
  const read = steps.map(readStep);
  const has = (step: ReadStep) =>
    Object.entries(listValues(step)).some(([part, value]) => hasAt(value, [step.name, part], wanted));
  if (read.some(has)) return true;
  const byId = new Map(read.map((step) => [step.stepId, step]));
  return read.some((step) => step.refers && has(withReferred(step, (id) => byId.get(id))));
}

function readStep({ step_id, name, captured }: StepRow): ReadStep {
  // Rows contain JSON that was validated when it was stored.
  const values =
    captured === '' ? {} : (JSON.parse(captured) as Omit<ReadStep, 'stepId' | 'name' | 'refers'>);
  return { ...values, stepId: step_id, name, refers: captured.includes('"reference"') };
}

function listValues({ inputs, outputs, variables }: ReadStep): Readonly<Record<string, CapturedValue>> {
  const { parameters, localVariables, returnValue, thisContext } = variables ?? {};
  const all = { inputs, outputs, parameters, localVariables, returnValue, thisContext };
  return Object.fromEntries(
    Object.entries(all).filter((each): each is [string, CapturedValue] => each[1] !== undefined),
  );
}

function hasInBodies({ request_query, request_body, response_body }: BodyRow, wanted: Member): boolean {
  const parts = [
    ['request', 'query', request_query],
    ['request', 'body', request_body],
    ['response', 'body', response_body],
  ] as const;
  return parts.some(([side, part, json]) => {
    if (json === '') return false;
    const value = parseBody(JSON.parse(json) as CapturedValue);
    return value !== undefined && hasAt(value, [side, part], wanted);
  });
}

/** Visits a value and everything in it. `start` is the path of the value. */
function hasAt(value: CapturedValue, start: readonly [string, string], wanted: Member): boolean {
  const pending: { readonly value: CapturedValue; readonly names: readonly string[] }[] = [
    { value, names: start },
  ];
  for (let visited = 0; visited < MAX_VISITED; visited += 1) {
    const at = pending.pop();
    if (at === undefined) return false;
    if (endsWith(at.names, wanted.path) && isWanted(at.value, wanted)) return true;
    for (const { label, value: part } of listParts(at.value).children) {
      if (label.kind === 'key') pending.push({ value: part, names: [...at.names, label.text] });
      // An element has the names of its list, but its own value is no member.
      else if (typeof part === 'object') pending.push({ value: part, names: at.names });
    }
  }
  return false;
}

function endsWith(names: readonly string[], path: Member['path']): boolean {
  const [first = '', , ...rest] = names;
  return isEnd(names, path) || isEnd([first, ...rest], path);
}

function isEnd(names: readonly string[], path: readonly string[]): boolean {
  return (
    path.length <= names.length && path.every((name, at) => name === names[names.length - path.length + at])
  );
}

function isWanted(value: CapturedValue, { operator, value: wanted, quoted }: Member): boolean {
  const scalar = readScalar(value);
  if (scalar === undefined) return false;
  if (!quoted && JSON_NUMBER.test(wanted) && (typeof scalar === 'number' || typeof scalar === 'bigint')) {
    const [one, other] = [Number(scalar), Number(wanted)];
    switch (operator) {
      case '=':
        return one === other;
      case '>':
        return one > other;
      case '>=':
        return one >= other;
      case '<':
        return one < other;
      case '<=':
        return one <= other;
    }
  }
  if (operator !== '=') return false;
  return typeof scalar === 'string' ? scalar === wanted : !quoted && String(scalar) === wanted;
}

function readScalar(value: CapturedValue): string | number | bigint | boolean | null | undefined {
  if (typeof value !== 'object' || value === null) return value;
  return '$type' in value && value.$type === 'bigint' && 'value' in value
    ? BigInt(String(value.value))
    : undefined;
}
