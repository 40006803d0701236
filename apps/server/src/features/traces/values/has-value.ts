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
 * Checks if a trace has the wanted value in a member whose path ends with `wanted.path`. A member's path consists of the step's name, the
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
  return { ...values, stepId: step_id, name, refers: hasReference(captured) };
}

/** True if the JSON of a step's values can contain a reference. */
export function hasReference(captured: string): boolean {
  return captured.includes('"reference"') && /:\s*"reference"/.test(captured);
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

/**
 * The last name of a path, and a link to the names above it. Values below the same name share this link, so deep values need no copies of
 * the path.
 */
interface At {
  readonly name: string;
  readonly above: At | undefined;
}

/** Searches a value and everything in it, up to `MAX_VISITED` values, for the wanted member. The value is the part `part` of `step`. */
function hasAt(value: CapturedValue, [step, part]: readonly [string, string], wanted: Member): boolean {
  const start: At = { name: part, above: { name: step, above: undefined } };
  const pending: { readonly value: CapturedValue; readonly at: At }[] = [{ value, at: start }];
  const names = wanted.path.toReversed();
  for (let visited = 0; visited < MAX_VISITED; visited += 1) {
    const next = pending.pop();
    if (next === undefined) return false;
    const { at } = next;
    if ((isEnd(at, names, false) || isEnd(at, names, true)) && isWanted(next.value, wanted)) return true;
    for (const { label, value: inner } of listParts(next.value).children) {
      if (label.kind === 'key') pending.push({ value: inner, at: { name: label.text, above: at } });
      // An element of a list gets the same names as the list, because paths do not contain indexes. Elements that are simple values are not
      // compared.
      else if (typeof inner === 'object') pending.push({ value: inner, at });
    }
  }
  return false;
}

/**
 * True if the names from `last` up to the top of the value begin with `names`. With `skipsPart`, the second name from the top, which is the
 * part (such as `inputs`), is left out.
 */
function isEnd(last: At, names: readonly string[], skipsPart: boolean): boolean {
  let at: At | undefined = last;
  for (const name of names) {
    if (skipsPart && at?.above !== undefined && at.above.above === undefined) at = at.above;
    if (at?.name !== name) return false;
    at = at.above;
  }
  return true;
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
  // An object of the application can look like a captured bigint, but contain no whole number.
  const digits = '$type' in value && value.$type === 'bigint' && 'value' in value ? String(value.value) : '';
  return /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
}
