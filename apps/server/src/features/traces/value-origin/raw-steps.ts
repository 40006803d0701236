import { type CapturedValue, findReferred, type Step } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';

/** Maximum number of references that are followed from one to the next. */
const MAX_HOPS = 50;

/**
 * Steps as they are stored: an object that several steps share is stored once, and the other steps refer to it. Two positions that lead
 * to the same stored object contain the same object.
 */
export class RawSteps {
  readonly all: readonly Step[];
  readonly #byId: ReadonlyMap<string, Step>;
  readonly #homes = new WeakMap<object, Step>();
  /** An object that changed between two steps is stored twice. Maps each stored version to the one version that represents the object. */
  readonly #leaders = new Map<object, object>();

  private constructor(all: readonly Step[]) {
    this.all = all;
    this.#byId = new Map(all.map((step) => [step.stepId, step]));
  }

  /** Reads the references of all steps. Yields to the event loop between slices of the work. */
  static async read(all: readonly Step[]): Promise<RawSteps> {
    const steps = new RawSteps(all);
    await runInSlices(all, (step) => steps.#noteReferences(step));
    await runInSlices(all, (step) => steps.#joinSeenBefore(step));
    return steps;
  }

  find(stepId: string): Step | undefined {
    return this.#byId.get(stepId);
  }

  /**
   * Resolves a step's references to the value itself. A reference without a target remains, as does a reference that was part of a captured
   * body.
   */
  follow(value: CapturedValue): CapturedValue {
    let at = value;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const home = typeof at === 'object' && at !== null ? this.#homes.get(at) : undefined;
      if (home === undefined) return at;
      const shape = classifyValue(at);
      if (shape.kind !== 'form' || shape.form.$type !== 'reference') return at;
      const there = shape.form.step === undefined ? home : this.#byId.get(shape.form.step);
      const found = there && findReferred(there, shape.form.path);
      if (found === undefined) return at;
      at = found;
    }
    return value;
  }

  /** True if two stored objects were the same object in the traced program, possibly at different times. */
  isSame(one: object, other: object): boolean {
    return one === other || this.#findLeader(one) === this.#findLeader(other);
  }

  /** Remembers the step of each reference. A reference that names no step refers to the step that contains the reference. */
  #noteReferences(step: Step): void {
    const { inputs, outputs, variables } = step;
    const pending: unknown[] = [inputs, outputs, ...Object.values(variables ?? {})];
    while (pending.length > 0) {
      const at = pending.pop();
      if (typeof at !== 'object' || at === null) continue;
      if (isReference(at)) this.#homes.set(at, step);
      else for (const part of Object.values(at)) if (typeof part === 'object') pending.push(part);
    }
  }

  #joinSeenBefore(step: Step): void {
    const seen: unknown = step.variables?.seenBefore;
    if (typeof seen !== 'object' || seen === null) return;
    for (const [name, origin] of Object.entries(seen)) {
      if (!Array.isArray(origin)) continue;
      const [stepId, nameThere]: unknown[] = origin;
      if (typeof stepId !== 'string' || typeof nameThere !== 'string') continue;
      const before = this.#byId.get(stepId);
      const [one, other] = [before && this.#findNamed(before, nameThere), this.#findNamed(step, name)];
      if (one !== undefined && other !== undefined) this.#join(one, other);
    }
  }

  #findNamed(step: Step, name: string): object | undefined {
    const { variables, outputs } = step;
    const named =
      name === 'return'
        ? (variables?.returnValue ?? outputs)
        : name === 'this'
          ? variables?.thisContext
          : (findMember(variables?.parameters, name) ?? findMember(variables?.localVariables, name));
    const value = named === undefined ? undefined : this.follow(named);
    return typeof value === 'object' && value !== null && !isReference(value) ? value : undefined;
  }

  #join(one: object, other: object): void {
    const [first, second] = [this.#findLeader(one), this.#findLeader(other)];
    this.#leaders.set(first, first);
    if (first !== second) this.#leaders.set(second, first);
  }

  #findLeader(value: object): object {
    let at = value;
    for (let next = this.#leaders.get(at); next !== undefined && next !== at; next = this.#leaders.get(at))
      at = next;
    return at;
  }
}

function isReference(value: object): value is CapturedValue & object {
  return '$type' in value && value.$type === 'reference';
}

function findMember(value: CapturedValue | undefined, name: string): CapturedValue | undefined {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? new Map(Object.entries(value)).get(name)
    : undefined;
}
