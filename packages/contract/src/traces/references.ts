import { type CapturedValue, isTagged } from '../values.ts';

type Path = readonly (string | number)[];
/** Captured fields of a step that can contain references or be the targets of references. */
export interface ReferringStep {
  readonly stepId: string;
  readonly inputs?: CapturedValue | undefined;
  readonly outputs?: CapturedValue | undefined;
  readonly variables?: { readonly [part in Part]?: CapturedValue | undefined } | undefined;
}

type Part = 'parameters' | 'localVariables' | 'returnValue' | 'thisContext';

/** Finds a step of the trace by id; undefined if it is not loaded. */
export type FindStep = (stepId: string) => ReferringStep | undefined;

/** Maximum number of values visited per step, since references in a trace can form cycles. */
const MAX_VALUES = 50_000;
const MAX_DEPTH = 100;

/** Returns the ids of the steps that a step's values reference. Visits at most {@link MAX_VALUES} values. */
export function listReferredSteps(step: ReferringStep): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: unknown[] = [step.inputs, step.outputs, step.variables];
  for (let count = 0; pending.length > 0 && count < MAX_VALUES; count++) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('$type' in value && value.$type === 'reference' && 'step' in value && typeof value.step === 'string')
      found.add(value.step);
    else for (const part of Object.values(value)) pending.push(part);
  }
  return found;
}

/**
 * Returns the step with references replaced by their targets, in other steps or in the step's own inputs and outputs. A reference stays if
 * its target is not loaded, if it points into the same part of the same step (a repeated value), if it is cyclic, or beyond {@link
 * MAX_VALUES} or {@link MAX_DEPTH}.
 */
export function withReferred<S extends ReferringStep>(step: S, find: FindStep): S {
  const resolver = new Resolver(step, find);
  const { variables } = step;
  return {
    ...step,
    ...(step.inputs !== undefined && { inputs: resolver.resolve(step.inputs, step, 'inputs') }),
    ...(step.outputs !== undefined && { outputs: resolver.resolve(step.outputs, step, 'outputs') }),
    ...(variables !== undefined && {
      variables: {
        ...variables,
        ...resolver.part(variables.parameters, step, 'parameters'),
        ...resolver.part(variables.localVariables, step, 'localVariables'),
        ...resolver.part(variables.returnValue, step, 'returnValue'),
        ...resolver.part(variables.thisContext, step, 'thisContext'),
      },
    }),
  };
}

class Resolver {
  readonly #own: ReferringStep;
  readonly #find: FindStep;
  /** Resolved values by step and path, so that a value with two references is one object in memory. */
  readonly #resolved = new Map<string, CapturedValue>();
  readonly #underWay = new Set<string>();
  #left = MAX_VALUES;

  constructor(own: ReferringStep, find: FindStep) {
    this.#own = own;
    this.#find = find;
  }

  part(
    value: CapturedValue | undefined,
    step: ReferringStep,
    name: Part,
  ): { readonly [part in Part]?: CapturedValue } {
    return value === undefined ? {} : { [name]: this.resolve(value, step, name) };
  }

  /** Replaces the references in a value. `part` is the captured field of the step that contains the value. */
  resolve(value: CapturedValue, step: ReferringStep, part: string, depth = 0): CapturedValue {
    if (typeof value !== 'object' || value === null || --this.#left < 0 || depth > MAX_DEPTH) return value;
    if (isTagged(value) && value.$type === 'reference') return this.#referred(value, step, part, depth);
    if (Array.isArray(value))
      return value.map((item: CapturedValue) => this.resolve(item, step, part, depth + 1));
    const members = Object.entries(value).map(([name, member]: [string, CapturedValue]) => [
      name,
      this.resolve(member, step, part, depth + 1),
    ]);
    return Object.fromEntries(members);
  }

  #referred(
    value: { readonly step?: string; readonly path: Path },
    step: ReferringStep,
    part: string,
    depth: number,
  ): CapturedValue {
    const { path } = value;
    const reference: CapturedValue = { $type: 'reference', ...value };
    const there = value.step === undefined ? step : this.#find(value.step);
    const [first] = path;
    if (there === undefined || (there === this.#own && first === part)) return reference;
    const key = JSON.stringify([there.stepId, path]);
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const found = this.#underWay.has(key) ? undefined : findReferred(there, path);
    if (found === undefined) return reference;
    this.#underWay.add(key);
    const resolved = this.resolve(found, there, there === this.#own ? String(first) : '', depth + 1);
    this.#underWay.delete(key);
    this.#resolved.set(key, resolved);
    return resolved;
  }
}

/** Finds the target of a reference within a step. Does not follow references along the path. */
export function findReferred(
  { inputs, outputs, variables }: ReferringStep,
  [first = '', ...path]: Path,
): CapturedValue | undefined {
  const parts: Readonly<Record<string, CapturedValue | undefined>> = { inputs, outputs, ...variables };
  let value = Object.hasOwn(parts, first) ? parts[first] : undefined;
  for (let at = 0; at < path.length && value !== undefined; at++) {
    const isKey = path[at + 1] === 'key' && isMap(value);
    value = readMember(value, path[at] ?? '', isKey);
    if (isKey) at++;
  }
  return value;
}

function isMap(value: CapturedValue): boolean {
  return typeof value === 'object' && value !== null && isTagged(value) && value.$type === 'Map';
}

function readMember(value: CapturedValue, key: string | number, isKey: boolean): CapturedValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!isTagged(value)) return readOwn(value, key);
  switch (value.$type) {
    case 'object':
      return readOwn(value.properties, key);
    case 'Error':
      return key === 'cause' ? value.cause : readOwn(value.properties ?? {}, key);
    case 'array':
    case 'Set':
      return readOwn(value.values, key);
    case 'Map':
      return typeof key === 'number' ? value.entries[key]?.[isKey ? 0 : 1] : undefined;
    default:
      return undefined;
  }
}

function readOwn(container: object, key: string | number): CapturedValue | undefined {
  if (!Object.hasOwn(container, key)) return undefined;
  const entries: { readonly [key: string]: CapturedValue } = { ...container };
  return entries[key];
}
