/**
 * Records programs while one function of the recorder throws. Each function in turn throws at its first call and at its last call. With the
 * argument `all`, each function also throws at its middle call, in this program and in a second one. With the argument `some`, only every
 * third function throws.
 * Prints, as JSON, the cases that the host noticed. Run with `fault-points.ts` preloaded.
 */
import { CpuBudget } from '../src/budget/cpu-budget.ts';
import { instrument } from '../src/instrument/instrument.ts';
import { propagation } from '../src/record/async/async-parent.ts';
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { metering } from '../src/record/capture/metering.ts';
import { installRuntime } from '../src/record/frame.ts';
import { Recording } from '../src/record/recording.ts';
import { compileProgram, observe, type Program, programFile } from './observe.ts';
import { randomProgram } from './random-program.ts';

/** Values of every kind, in functions of every kind. */
const everything = `
class Order { #total = 5; constructor(id) { this.id = id; this.self = this } get total() { return this.#total } pay(card) { const due = this.#total; return { due, card } } }
class Paid extends Order { constructor(id) { super(id); this.paid = new Date(0) } static of(id) { return new Paid(id) } }
const revoked = Proxy.revocable({}, {}); revoked.revoke();
const values = () => [1, -0, NaN, 5n, 'text', 'x'.repeat(50000), Symbol('s'), null, undefined, true, [1, , [2, [3]]], { a: { b: { c: {} } } }, new Map([['k', { token: 'abc123' }]]), new Set([1, 'a']),
  new Date(0), /re/g, Buffer.from('bytes'), new Float64Array(3), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)), new TypeError('bad', { cause: new Error('why') }), new AggregateError([new Error('one')], 'all'),
  new Order(1), new Paid(2), Object.create(null), revoked.proxy, new Proxy({}, { get() { throw new Error('trap') } }), Promise.resolve(1), new WeakMap(), () => 1, class K {}, Object('boxed'), new URL('http://h/?token=abc'),
  { password: 'hunter2', authorization: 'Bearer abc', get lazy() { return 1 } }, Array.from({ length: 300 }, (_, n) => ({ n })), new Error('again'), process.versions, new (class extends Map {})()];
function take(value, { a = 1, ...rest } = {}, ...more) { const local = value; let counted = 0; for (const one of more) { counted++; if (counted > 2) break } return local }
async function waits(value) { try { const got = await { then(resolve) { resolve(value) } }; await Promise.reject(new Error('no')) } catch (error) { const { message } = error; return message } finally { log('left') } }
function* inner(n) { try { const got = yield n; yield got } finally { log('inner ended') } }
function* outer(n) { yield* inner(n); yield* [n]; return n }
async function* stream(n) { for (const one of outer(n)) { yield one; await null } }
function fails(n) { if (n === 0) throw new RangeError('deep'); return fails(n - 1) }
for (const value of values()) { take(value, { a: value }, value, 1, 2, 3); log(typeof await waits(value)) }
for (const one of outer(7)) log(one);
const early = outer(8); early.next(); log(early.return(3)); const thrown = outer(9); thrown.next(); try { thrown.throw(new Error('in')) } catch (error) { log(error.message) }
for await (const one of stream(5)) log(one);
for await (const one of stream(6)) { if (one === 6) break }
try { fails(5) } catch (error) { log(error.message) }
for (let n = 0; n < 300; n++) { take(n); try { fails(n % 2) } catch { } }
{ using held = { [Symbol.dispose]() { log('disposed') } }; await using waited = { async [Symbol.asyncDispose]() { log('waited') } } }
log(new Paid(3).pay({ number: '4111 1111 1111 1111' }).due, Paid.of(1).id, await Promise.all([1, 2, 3].map(async (n) => { await null; return take(n) })));
await new Promise((resolve) => setTimeout(function later() { take('later'); resolve() }, 1));
`;

/**
 * Functions that are called by injected code, by the language or by a timer. They get no fault: each catches the errors of the functions
 * that it calls, and contains no other code that could throw.
 */
const entryPoints = [
  /\/frame\.ts:\d+ FrameRuntime\.(?:enter|on)$/,
  /-step\.ts:\d+ \w+\.(?:suspend|resume|pause|proceed|recover|delegate|iterate|iterable|handOver|exit)$/,
  /\/generator-frames\.ts/,
  /\/watched-promise\.ts:\d+ (?:noteSettled|(?:\w+\.)*runJob)$/,
  /\/returned-thenable\.ts:\d+ (?:ReturnedThenable\.then|noteBegun)$/,
  /\/deferred-stacks\.ts:\d+ DeferredStacks\.wait$/,
];

interface Case {
  readonly program: Program;
  readonly expected: readonly string[];
  /** The number of calls of each function of the recorder. */
  readonly calls: readonly number[];
  readonly isCarrying: boolean;
}

const { faultPoints } = globalThis;
Error.stackTraceLimit = 2000;
const runtime = installRuntime();
if (runtime === undefined) throw new Error('no runtime');
let seed = 7;
const random = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};

const wrapped = (body: string): string => `(async function (log, useFuel, cut) {\n${body}\n})`;

/** True if the source compiles; occasionally a random program does not. */
function isProgram(source: string): boolean {
  try {
    compileProgram(source);
    return true;
  } catch {
    return false;
  }
}

const choices = (): number[] => Array.from({ length: 200 }, () => random(10_000));
const randomPrograms = Array.from({ length: 15 }, () => wrapped(randomProgram(choices()))).filter(isProgram);
const cases: Case[] = [];
for (const [index, source] of [wrapped(everything), ...randomPrograms].entries()) {
  const expected = await observe(compileProgram(source));
  const result = instrument(source, {
    file: programFile,
    root: '/project',
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: (count) => runtime.reserveSites(count),
    withMap: false,
    withAccessors: true,
  });
  if ('skipped' in result) throw new Error(result.skipped);
  runtime.addSites(result.firstSite, result.sites, programFile, result.insertions);
  const found = { program: compileProgram(result.code), expected, calls: [], isCarrying: index % 2 === 0 };
  const seen = await record(found, -1, 0);
  if (seen !== null) throw new Error(`without a fault already: ${seen}\n${source}`);
  cases.push({ ...found, calls: [...faultPoints.calls] });
}

/**
 * Runs a program while the recorder throws at one call. Returns the first difference from the expected observations; null if there is none.
 */
async function record(
  { program, expected, isCarrying }: Case,
  point: number,
  call: number,
): Promise<string | null> {
  propagation.on = isCarrying;
  // A fast clock, so that the budget's level changes a few times.
  let now = 0;
  metering.meter = isCarrying ? new CpuBudget({ percent: 80, now: () => (now += random(100)) }) : null;
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const seen = await runRecording(recording, async () => {
    faultPoints.begin(point, call);
    try {
      return await observe(program);
    } finally {
      faultPoints.end();
    }
  });
  recording.finish();
  const at = seen.findIndex((line, index) => line !== expected[index]);
  if (at >= 0) return `${seen[at]} instead of ${expected[at]}`;
  return seen.length === expected.length ? null : 'something is missing';
}

const isWhole = process.argv[2] === 'all';
/** 1 if each function of the recorder throws in turn; 3 if only every third function does. */
const step = process.argv[2] === 'some' ? 3 : 1;
const noticed: string[] = [];
let planted = 0;
let functions = 0;
for (const [point, place] of faultPoints.places.entries()) {
  if (entryPoints.some((pattern) => pattern.test(place))) continue;
  const calling = cases.filter(({ calls }) => (calls[point] ?? 0) > 0);
  if (calling.length > 0) functions++;
  if (functions % step !== 0) continue;
  for (const [index, one] of calling.slice(0, isWhole ? 2 : 1).entries()) {
    const count = one.calls[point] ?? 0;
    const middle = Math.ceil(count / 2);
    for (const call of new Set(index === 0 ? [1, ...(isWhole ? [middle] : []), count] : [middle])) {
      const seen = await record(one, point, call);
      if (faultPoints.hasThrown) planted++;
      if (seen !== null) noticed.push(`${place}, call ${call}: ${seen}`);
    }
  }
}
console.log(JSON.stringify({ functions, planted, noticed }));
