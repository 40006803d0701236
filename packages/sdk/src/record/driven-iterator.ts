import { types } from 'node:util';
import { isObject } from '../is-object.ts';
import type { InstrumentedSite, OpenStep } from './open-step.ts';

const { create } = Object;
const { apply, defineProperty, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** Gives the inputs, or for 1 the bindings, of a function; takes its frame. */
export type VariablesAccess = (frame?: OpenStep | 1) => unknown;

/** Enters a function of which this is a call; null where the call is not recorded. */
export type Enter = (inputs: readonly unknown[]) => OpenStep | null;

type Method = 'next' | 'throw' | 'return';

const METHODS: readonly Method[] = ['next', 'throw', 'return'];

/**
 * Makes a frame of the turns of a generator that a compiler wrote as a state machine. Returns what stands for the generator: one that inherits from it, whose methods
 * hand on what they get and what comes of it. The helper that asks for the turns, or the host's loop, calls them as it would; the generator itself stays as it is.
 */
export function driveIterator(iterator: object, turns: Turns): object {
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

/** The turns of one call. */
export class Turns {
  readonly #parameters: number;
  readonly #kind: InstrumentedSite['kind'];
  readonly #enter: Enter;
  readonly #variables: VariablesAccess;
  readonly #self: unknown;
  #state: 'new' | 'waiting' | 'running' | 'ended' = 'new';
  #frame: OpenStep | null = null;

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

  /** A turn begins, with the value that was waited for or sent in. Returns whether it is recorded. */
  begin(method: Method, sent: unknown): boolean {
    // Asked for the next value by itself, or ended before its code began.
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
    const entered = this.#enter(asList(this.#variables()));
    if (entered === null) return false;
    this.#frame = entered;
    this.#variables(entered);
    this.#state = 'running';
    return true;
  }

  /** An error leaves a turn, and so the function. */
  fail(error: unknown): void {
    if (this.#frame === null) return;
    this.#frame.thrown = [error];
    this.#exit(this.#frame, undefined);
  }

  /** A turn ends. Returns what comes of it. */
  end(result: unknown): unknown {
    const frame = this.#frame;
    if (frame === null) return result;
    try {
      if (!isObject(result)) this.#exit(frame, undefined);
      else if (get(result, 'done') === true) this.#exit(frame, get(result, 'value'));
      else {
        this.#state = 'waiting';
        return this.#leave(frame, result);
      }
    } catch {}
    return result;
  }

  /** The frame waits for what it awaits, or is paused with what it yields. */
  #leave(frame: OpenStep, result: object): unknown {
    if (this.#kind === 'generator') {
      frame.pause();
      return result;
    }
    const value: unknown = get(result, 'value');
    if (this.#kind === 'async') {
      const awaited = frame.suspend(value, true);
      return awaited === value ? result : { value: awaited, done: false };
    }
    if (isAwait(value)) frame.suspend();
    else frame.pause();
    return result;
  }

  #exit(frame: OpenStep, result: unknown): void {
    this.#state = 'ended';
    try {
      frame.exit(frame.all || frame.thrown !== null ? this.#bindings(frame) : null, result, this.#self);
    } catch {}
  }

  /** Variables stand before the code that gives them a value: one without is not shown. */
  #bindings(frame: OpenStep): unknown[] {
    return asList(this.#variables(1)).map((value, index) =>
      value === undefined && index >= this.#parameters ? frame : value,
    );
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What compilers' async generators yield to have it awaited; TypeScript's has no name where it is inlined. */
const AWAIT_CLASS = /^(?:_*(?:await|overload_?yield|await_?value)\d*)?$/i;

function isAwait(value: unknown): boolean {
  if (!isObject(value) || types.isProxy(value) || getOwnPropertyDescriptor(value, 'v') === undefined)
    return false;
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || types.isProxy(prototype)) return false;
  const made: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof made !== 'function' || types.isProxy(made)) return false;
  const name: unknown = getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' && AWAIT_CLASS.test(name);
}
