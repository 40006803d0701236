import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pickRows } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../test/retained.ts');

/**
 * Programs that wait, or that return a value which stays in memory. `make(label)` creates a value that only the program references. V8
 * itself keeps the values labelled `kept` in memory.
 */
const SOURCES = {
  'a value that was yielded':
    'function* g() { yield make("yielded"); yield 1 } exports.main = () => { const it = g(); it.next(); return it }',
  'a value that an async generator yielded':
    'async function* g() { yield make("yielded"); yield 1 } exports.main = () => { const it = g(); it.next(); return it }',
  'a value that was sent in':
    'function* g() { void (yield 1); yield 2 } exports.main = () => { const it = g(); it.next(); it.next(make("sent")); return it }',
  'values that yield* handed on':
    'function* i() { yield make("inner"); return make("returned") } function* g() { yield* i(); yield 2 } exports.main = () => { const it = g(); it.next(); it.next(); return it }',
  'an awaited value':
    'exports.main = async () => { (await make("awaited")).label; (await Promise.resolve(make("resolved"))).label; await never }',
  'the argument of an async function that ended':
    'async function f(given) { await given.label; return 1 } exports.main = () => f(make("argument"))',
  'the argument of an async function that waits without it':
    'async function f(given) { given = given.label; await never } exports.main = () => f(make("argument"))',
  'a value that was taken apart':
    'exports.main = async () => { let a, b; [a] = make("statement"); held.push([b] = make("expression")); held.pop(); await never; return [a, b] }',
  'the values that a loop went over':
    'async function* g() { yield make("one"); yield make("kept") } exports.main = async () => { for await (const one of g()) one.label; await never }',
  'an error that was thrown and caught':
    'function bad() { throw make("error") } exports.main = async () => { try { bad() } catch {} try { throw make("kept") } catch (e) { e.label } await never }',
  'a rejection that was caught':
    'async function bad() { throw make("error") } exports.main = async () => { try { await bad() } catch {} await never }',
  'an error among the values of a step':
    'function f(e) { return e.label } exports.main = async () => { f(make("error")); await never }',
  'the variables of a function that a closure comes from':
    'function f(given) { let own = make("kept"); const set = () => { own = 1 }; { let inner = make("inner"); const keep = () => { inner = own }; keep.call() } return () => 1 } exports.main = () => f(make("argument"))',
  'a value that the host stored in the async context of a function that ended':
    'const als = new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)(); function f() { return als.getStore().label } exports.main = async () => { als.run(make("stored"), f); await never }',
  'a value that the host stored in the async context of an async function that ended':
    'const als = new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)(); async function f() { await 1; await 2; return als.getStore().label } exports.main = async () => { await als.run(make("stored"), f); await never }',
  'the result of a function that ended':
    'function f() { try { return make("result") } finally { held.length } } exports.main = async () => { f().label; await never }',
};

/** Programs with values that a recorded step would show. If no step is recorded, the SDK must not keep these values alive. */
const SOURCES_WITHOUT_RECORDING = {
  'a value of a block that ended':
    'exports.main = async () => { { let own = make("block"); held.push(() => { own = 1 }); held.pop() } { let other = 1; held.push(() => { other = 2 }); held.pop() } await never }',
};

const ALL_SOURCES = { ...SOURCES, ...SOURCES_WITHOUT_RECORDING };

interface Alive {
  readonly plain: readonly string[];
  readonly loaded: readonly string[];
  readonly recorded: readonly string[];
  readonly steps: readonly string[];
}

describe('while a function waits, the SDK does not keep alive', () => {
  let alive: ReadonlyMap<string, Alive>;
  beforeAll(async () => {
    const args = ['--conditions=source', '--expose-gc', program, JSON.stringify(Object.values(ALL_SOURCES))];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const counts: readonly Alive[] = JSON.parse(stdout);
    alive = new Map(Object.keys(ALL_SOURCES).map((name, index) => [name, counts[index] as Alive]));
  });

  test.each(Object.keys(SOURCES))('%s', (name) => {
    const { plain, loaded, recorded, steps } = alive.get(name) ?? { plain: ['nothing was reported'] };
    const kept = ['kept', ...plain];
    expect(plain.filter((label) => label !== 'kept')).toEqual([]);
    expect(loaded?.filter((label) => !kept.includes(label))).toEqual([]);
    expect(recorded?.filter((label) => !kept.includes(label))).toEqual([]);
    expect(steps).not.toEqual([]);
  });

  test.each(Object.keys(SOURCES_WITHOUT_RECORDING))('%s, if nothing is recorded', (name) => {
    const { plain, loaded } = alive.get(name) ?? { plain: ['nothing was reported'] };
    expect([plain, loaded]).toEqual([[], []]);
  });

  test('an error, although the step that threw the error shows its stack', () => {
    expect(alive.get('an error that was thrown and caught')?.steps).toEqual([
      'main undefined',
      'bad Error: error',
    ]);
  });
});

test.each(pickRows(['finish', 'drop'], { usually: 1 }))(
  'a recording that a timer keeps alive after its end (%s) releases almost all values of its steps',
  async (how) => {
    const measure = join(import.meta.dirname, '../../test/finished-memory.ts');
    const args = [
      '--conditions=source',
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      measure,
      how,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { steps, kept }: { steps: number; kept: number } = JSON.parse(stdout);
    expect(steps).toBeGreaterThan(20);
    // The limit is below the 33 kB that a finished recording would retain if it kept its buffer and lists (50 kB for a dropped one).
    expect(kept).toBeLessThan(16_000);
  },
);

test.each(['a step', 'a counted call'])(
  'a closure of %s that the host keeps does not keep the finished recording in memory',
  async (call) => {
    const args = ['--conditions=source', '--expose-gc', '--disable-warning=ExperimentalWarning'];
    const held = join(import.meta.dirname, '../../test/held-closures.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...args,
      held,
      call === 'a step' ? 'step' : 'counted',
    ]);
    const counts: { held: number; alive: number } = JSON.parse(stdout);
    expect(counts.held).toBe(50);
    // The last recording can still be referenced by the async context that was current last.
    expect(counts.alive).toBeLessThan(3);
  },
);
