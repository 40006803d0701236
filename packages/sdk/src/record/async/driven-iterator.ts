import { types } from 'node:util';
import { isObjectOrFunction } from '../../internal/is-object.ts';
import type { ActiveStep } from '../active-step.ts';
import type { InstrumentedSite } from '../types.ts';

const { create } = Object;
const { apply, defineProperty, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/**
 * Gives access to the variables of a compiled function. Without an argument, returns the function's inputs; with 1, its bindings. With an
 * `ActiveStep`, stores the step in the function.
 */
export type VariablesAccess = (frame?: ActiveStep | 1) => unknown;

/** Records that the called function is entered. Returns null if the call is not recorded. */
export type Enter = (inputs: readonly unknown[]) => ActiveStep | null;

type Method = 'next' | 'throw' | 'return';

const METHODS: readonly Method[] = ['next', 'throw', 'return'];

/**
 * Records a generator that a compiler wrote as a state machine. The call of the generator becomes a step, which is active while the
 * generator runs. Returns a replacement that inherits from the generator and forwards arguments and results of the generator's methods. The
 * compiler's helper or the host's loop calls the replacement's methods as usual. The generator itself is not changed.
 */
export function driveIterator(iterator: object, turns: GeneratorTurns): object {
  const driven: object = create(iterator);
  for (const name of METHODS) {
    const method: unknown = get(iterator, name);
    if (typeof method !== 'function') continue;
    const value = (...given: unknown[]): unknown => {
      let isRecorded = false;
      try {
        isRecorded = turns.begin(name, given[0]);
      } catch {}
      let result: unknown;
      try {
        result = apply(method, iterator, given);
      } catch (error) {
        if (isRecorded) turns.fail(error);
        throw error;
      }
      return isRecorded ? turns.end(result) : result;
    };
    const enumerable = getOwnPropertyDescriptor(iterator, name)?.enumerable === true;
    defineProperty(driven, name, { value, writable: true, enumerable, configurable: true });
  }
  return driven;
}

/** The turns of one generator call. A turn is the time from a `next`, `throw` or `return` to the next `yield` or `await`. */
export class GeneratorTurns {
  readonly #parameters: number;
  readonly #kind: InstrumentedSite['kind'];
  readonly #enter: Enter;
  readonly #variables: VariablesAccess;
  readonly #self: unknown;
  #state: 'new' | 'waiting' | 'running' | 'ended' = 'new';
  #frame: ActiveStep | null = null;

  constructor(
    { kind, parameters }: InstrumentedSite,
    enter: Enter,
    variables: VariablesAccess,
    self: unknown,
  ) {
    this.#kind = kind;
    this.#parameters = parameters;
    this.#enter = enter;
    this.#variables = variables;
    this.#self = self;
  }

  /** Begins a turn. `sent` is the awaited value or the value that was passed to `next`. Returns true if the turn is recorded. */
  begin(method: Method, sent: unknown): boolean {
    // In these states no turn begins: `running`, because the generator requested its own next value; `ended`; and `new`, if the generator
    // was ended before its code started.
    if (this.#state === 'running' || this.#state === 'ended' || (this.#state === 'new' && method !== 'next'))
      return false;
    const frame = this.#frame;
    if (frame !== null) {
      if (!frame.suspended) frame.proceed();
      else if (method === 'next') frame.resume(sent);
      else frame.recover();
      this.#state = 'running';
      return true;
    }
    this.#state = 'ended';
    const entered = this.#enter(toList(this.#variables()));
    if (entered === null) return false;
    this.#frame = entered;
    this.#variables(entered);
    this.#state = 'running';
    return true;
  }

  /** Ends the turn, and therefore the function, with an error. */
  fail(error: unknown): void {
    if (this.#frame === null) return;
    this.#frame.thrown = [error];
    this.#exit(this.#frame, undefined);
  }

  /** Ends a turn. Returns the result to pass on to the caller. */
  end(result: unknown): unknown {
    const frame = this.#frame;
    if (frame === null) return result;
    try {
      if (!isObjectOrFunction(result)) this.#exit(frame, undefined);
      else if (get(result, 'done') === true) this.#exit(frame, get(result, 'value'));
      else {
        this.#state = 'waiting';
        return this.#leave(frame, result);
      }
    } catch {}
    return result;
  }

  /** Suspends the step at a compiled `await`, or pauses the step at a `yield`. */
  #leave(frame: ActiveStep, result: object): unknown {
    if (this.#kind === 'generator') {
      frame.pause();
      return result;
    }
    const value: unknown = get(result, 'value');
    if (this.#kind === 'async') {
      const awaited = frame.suspend(value, true);
      return awaited === value ? result : { value: awaited, done: false };
    }
    if (isAwait(value)) frame.suspend(undefined, true);
    else frame.pause();
    return result;
  }

  #exit(frame: ActiveStep, result: unknown): void {
    this.#state = 'ended';
    try {
      frame.exit(frame.all || frame.thrown !== null ? this.#bindings(frame) : null, result, this.#self);
    } catch {}
  }

  /**
   * Returns the values of the bindings. A compiled variable is declared before the code that initializes it. So if a local variable is
   * undefined, `frame` is returned in place of the value, which marks the variable as not initialized.
   */
  #bindings(frame: ActiveStep): unknown[] {
    return toList(this.#variables(1)).map((value, index) =>
      value === undefined && index >= this.#parameters ? frame : value,
    );
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Matches the class names of the objects that compiled async generators yield for an awaited value. The object of TypeScript's inlined
 * helper has no class name.
 */
const AWAIT_CLASS = /^(?:_*(?:await|overload_?yield|await_?value)\d*)?$/i;

function isAwait(value: unknown): boolean {
  if (
    !isObjectOrFunction(value) ||
    types.isProxy(value) ||
    getOwnPropertyDescriptor(value, 'v') === undefined
  )
    return false;
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || types.isProxy(prototype)) return false;
  const made: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof made !== 'function' || types.isProxy(made)) return false;
  const name: unknown = getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' && AWAIT_CLASS.test(name);
}
