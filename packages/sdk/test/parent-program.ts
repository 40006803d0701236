/**
 * Random programs that know the caller of each of their calls: each call passes a new number, which the function `call` returns and stores
 * with the caller's number. So the parents of the recorded steps can be compared with the callers.
 */
import fc from 'fast-check';
import { getCurrentRecording } from '../src/record/async/current-recording.ts';

type Kind = 'sync' | 'async' | 'generator' | 'asyncGenerator';

/** A function as plain data. An inner function is written in the function that calls it. */
interface PlannedFunction {
  readonly kind: Kind;
  readonly isInner: boolean;
  readonly body: readonly Statement[];
}

type Statement =
  | { readonly do: 'text'; readonly text: keyof typeof texts }
  | {
      readonly do: 'call';
      readonly fn: PlannedFunction;
      readonly how: 'waits' | 'starts' | 'later' | 'delegates';
      readonly each: readonly Statement[];
    }
  | {
      readonly do: 'try';
      readonly body: readonly Statement[];
      readonly caught: readonly Statement[] | null;
      readonly last: readonly Statement[] | null;
    };

/** Statements, each with the functions in which it is allowed: all functions, async functions or generators. */
const texts = {
  work: ['all', 'work(call(me));'],
  later: ['all', 'later(call(me));'],
  soon: ['all', 'soon(call(me));'],
  throw: ['all', "if (on) throw new Error('thrown');"],
  boom: ['all', 'boom(call(me));'],
  closure: ['all', 'made(call(me));'],
  yield: ['generator', 'yield null;'],
  tick: ['async', 'await null;'],
  pause: ['async', 'await pause();'],
  rejected: ['async', 'await rejected();'],
  brokenAwait: ['async', 'await broken();'],
  boomAwait: ['async', 'await boom(call(me));'],
  boomLater: ['async', 'await boomLater(call(me));'],
  noIterable: ['async', 'for await (const x of undefined) work(call(me));'],
  noIterator: ['async', 'for await (const x of iterables.none) work(call(me));'],
  noNext: ['async', 'for await (const x of iterables.throws) work(call(me));'],
  rejectedNext: ['async', 'for await (const x of iterables.rejects) work(call(me));'],
  syncIterable: ['async', 'for await (const x of iterables.sync) work(call(me));'],
  list: ['async', 'for await (const x of [1, Promise.resolve(2)]) work(call(me));'],
  brokenList: ['async', 'for await (const x of [broken()]) work(call(me));'],
  rejectedList: ['async', 'for await (const x of [rejected()]) work(call(me));'],
} as const satisfies Record<string, readonly ['all' | 'async' | 'generator', string]>;

const names = Object.keys(texts) as (keyof typeof texts)[];

const { statements } = fc.letrec<{ statement: Statement; statements: Statement[]; fn: PlannedFunction }>(
  (tie) => ({
    fn: fc.record({
      kind: fc.constantFrom<Kind>('sync', 'async', 'async', 'generator', 'asyncGenerator'),
      isInner: fc.boolean(),
      body: tie('statements'),
    }),
    statements: fc.array(tie('statement'), { maxLength: 4, depthIdentifier: 'program' }),
    statement: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'program' },
      {
        weight: 5,
        arbitrary: fc.record({ do: fc.constant('text' as const), text: fc.constantFrom(...names) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('call' as const),
          fn: tie('fn'),
          how: fc.constantFrom(
            'waits' as const,
            'waits' as const,
            'starts' as const,
            'later' as const,
            'delegates' as const,
          ),
          each: tie('statements'),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('try' as const),
          body: tie('statements'),
          caught: fc.option(tie('statements')),
          last: fc.option(tie('statements')),
        }),
      },
    ),
  }),
);

/** Sources of programs. Each exports an async function `main`, which receives the number of its own call. */
export const parentPrograms: fc.Arbitrary<string> = statements.map((body) => new ProgramWriter().write(body));

class ProgramWriter {
  readonly #functions: string[] = [];
  #count = 0;

  write(body: readonly Statement[]): string {
    const main = `exports.main = async function main(me) {\nmade = make(call(me));\n${this.#list(body, 'async')}\n};`;
    const others = [
      "function boom(me) { throw new Error('boom'); }",
      "async function boomLater(me) { await null; throw new Error('boom'); }",
      'let made;',
      'function make(me) { return function made(me) { work(call(me)); } }',
    ];
    return [...others, ...this.#functions, main].join('\n');
  }

  #list(statements: readonly Statement[], kind: Kind): string {
    return statements.map((statement) => this.#statement(statement, kind)).join('\n');
  }

  #statement(statement: Statement, kind: Kind): string {
    switch (statement.do) {
      case 'text': {
        const [where, text] = texts[statement.text];
        return where === 'all' || (where === 'async' ? isAsync(kind) : isGenerator(kind)) ? text : '';
      }
      case 'call':
        return this.#call(statement, kind);
      case 'try': {
        const { caught, last } = statement;
        const handler =
          caught === null && last !== null ? '' : `catch {\n${this.#list(caught ?? [], kind)}\n}`;
        const end = last === null ? '' : `finally {\n${this.#list(last, kind)}\n}`;
        return `try {\n${this.#list(statement.body, kind)}\n} ${handler} ${end}`;
      }
    }
  }

  #call({ fn, how, each }: Statement & { readonly do: 'call' }, kind: Kind): string {
    const name = `f${++this.#count}`;
    const text = `${isAsync(fn.kind) ? 'async ' : ''}function${isGenerator(fn.kind) ? '*' : ''} ${name}(me) {\n${this.#list(fn.body, fn.kind)}\n}`;
    let declared = '';
    if (fn.isInner) declared = `${text}\n`;
    else this.#functions.push(text);
    return `{\n${declared}${this.#use(`${name}(call(me))`, name, { fn, how, each }, kind)}\n}`;
  }

  #use(
    called: string,
    name: string,
    { fn, how, each }: Pick<Statement & { readonly do: 'call' }, 'fn' | 'how' | 'each'>,
    kind: Kind,
  ): string {
    switch (fn.kind) {
      case 'sync':
        return how === 'later' ? `defer(${name}, call(me));` : `${called};`;
      case 'async':
        if (how === 'later') return `defer(${name}, call(me));`;
        return how !== 'starts' && isAsync(kind) ? `await ${called};` : `hold(${called});`;
      case 'generator':
        if (how === 'delegates' && isGenerator(kind)) return `yield* ${called};`;
        return `for (const x of ${called}) {\n${this.#list(each, kind)}\n${how === 'starts' ? 'break;' : ''}}`;
      case 'asyncGenerator':
        if (!isAsync(kind)) return `hold(${called}.next());`;
        if (how === 'delegates' && isGenerator(kind)) return `yield* ${called};`;
        return `for await (const x of ${called}) {\n${this.#list(each, kind)}\n${how === 'starts' ? 'break;' : ''}}`;
    }
  }
}

function isAsync(kind: Kind): boolean {
  return kind === 'async' || kind === 'asyncGenerator';
}

function isGenerator(kind: Kind): boolean {
  return kind === 'generator' || kind === 'asyncGenerator';
}

/** The functions that a running program can call. They note the caller of each call. */
export class ProgramWorld {
  /** The number of each call's caller, by the number of the call. */
  readonly callers = new Map<number, number>();
  readonly #held: Promise<unknown>[] = [];
  #next: number;

  /** The numbers of the calls are higher than `base`, the number of `main`. */
  constructor(base: number) {
    this.#next = base;
  }

  readonly globals = {
    on: true,
    call: (caller: number): number => this.#call(caller),
    work: (id: number): void => openStep(id),
    later: (id: number): void => {
      this.#hold(new Promise((done) => setTimeout(done, 0)).then(() => openStep(id)));
    },
    soon: (id: number): void => queueMicrotask(() => openStep(id)),
    hold: (promise: Promise<unknown>): void => this.#hold(promise),
    defer: (fn: (id: number) => unknown, id: number): void => {
      this.#hold(
        new Promise((done) => {
          setTimeout(() => {
            try {
              done(fn(id));
            } catch {
              done(null);
            }
          }, 0);
        }),
      );
    },
    pause: () => new Promise((done) => setImmediate(done)),
    rejected: () => Promise.reject(new Error('rejected')),
    broken: () =>
      Object.defineProperty(Promise.resolve(), 'constructor', {
        get() {
          throw new Error('no constructor');
        },
      }),
    iterables: {
      none: {
        [Symbol.asyncIterator]() {
          throw new Error('no iterator');
        },
      },
      throws: {
        [Symbol.asyncIterator]: () => ({
          next() {
            throw new Error('no value');
          },
        }),
      },
      rejects: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no value')) }) },
      sync: {
        [Symbol.iterator]: () => ({
          next() {
            throw new Error('no value');
          },
        }),
      },
    },
  };

  #call(caller: number): number {
    this.callers.set(++this.#next, caller);
    return this.#next;
  }

  #hold(promise: Promise<unknown>): void {
    promise.catch(() => {});
    this.#held.push(promise);
  }

  /** Runs `main` and everything that it started. */
  async run(main: (id: number) => unknown, id: number): Promise<void> {
    await Promise.allSettled([main(id)]);
    while (this.#held.length > 0) await Promise.allSettled(this.#held.splice(0));
  }
}

/** Records a library's step with the number `id`. */
function openStep(id: number): void {
  const recording = getCurrentRecording();
  const step = recording?.open({ name: `work ${id}`, type: 'custom', parent: recording.here });
  if (recording && step) recording.close(step);
}
