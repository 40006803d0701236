import type { Parts } from './statement-parts.ts';

/** Writes a function that awaits twice before it throws, so that its async stack is tested too. */
const deep = (name: string): string =>
  `async function ${name}(v) { useFuel(); await null; await null; if (!v) throw new Error('deep'); return v }`;

/**
 * Writes code that logs the outcome of the expression. The code awaits the expression if that is allowed, so the outcome may be logged at a
 * later tick.
 */
const outcome = (canAwait: boolean, text: string): string =>
  canAwait
    ? `try { log('got', await ${text}) } catch (e) { log('failed', e) }`
    : `${text}.then((v) => log('then', v), (e) => log('not', e))`;

/** Functions that return promises and thenables without awaiting them. */
export const promiseStatements: readonly ((parts: Parts) => string)[] = [
  ({ x, y, value, canAwait }) =>
    `${deep(`d${x}`)}\nconst ${x} = (v) => { useFuel(); return d${x}(v) }, ${y} = async (v) => { useFuel(); return ${x}(v) }\n${outcome(canAwait, `${y}(${value()})`)}\n${outcome(canAwait, `${x}(${value()})`)}`,
  ({ x, y, value, canAwait }) =>
    `${deep(`d${x}`)}\nfunction ${x}(v) { useFuel(); const p = d${x}(v); log(p === p.constructor.resolve(p)); return p }\nasync function ${y}(v) { useFuel(); if (v) return ${x}(v); else return await ${x}(v) }\n${outcome(canAwait, `Promise.all([${y}(${value()}), ${x}(1), ${x}(${value()})])`)}`,
  ({ x, y, value, canAwait }) =>
    `const ${x} = (v) => ({ runs: 0, then(f, r) { log('asked', ++this.runs); if (v) queueMicrotask(() => f(v)); else r(new Error('query')) } }), ${y} = async (v) => { useFuel(); return ${x}(v) }\n${outcome(canAwait, `${y}(${value()})`)}\n${canAwait ? outcome(true, `${x}(${value()})`) : ''}`,
  ({ x, y, value, canAwait }) =>
    `${deep(`d${x}`)}\nclass ${x} { then(f, r) { useFuel(); return d${x}(${value()}).then(f, r) } also() { useFuel(); return this } }\nasync function ${y}() { useFuel(); return (() => new ${x}().also())() }\n${outcome(canAwait, `${y}()`)}\n${outcome(canAwait, `${y}()`)}`,
  ({ x, y, value, canAwait }) =>
    `const ${x} = { get then() { log('then was read'); return ${value()} ? (f) => f('read') : undefined } }, ${y} = async (v) => { useFuel(); return v }\n${outcome(canAwait, `${y}(${x})`)}\n${outcome(canAwait, `${y}(new Proxy(${x}, { get(o, k, s) { log('trap', typeof k); return Reflect.get(o, k, s) } }))`)}\n${outcome(canAwait, `${y}({ then() { throw new Error('in then') } })`)}`,
  ({ x, y, value }) =>
    `${deep(`d${x}`)}\nconst ${x} = (v) => { useFuel(); return d${x}(v) }, ${y} = async (v) => { useFuel(); return ${x}(v) }\n${x}(${value()}); ${y}(0); Promise.all([${y}(${value()})]).catch(() => log('handled')); { const late = ${x}(0); setImmediate(() => late.catch(() => log('late'))) }`,
  ({ x, y, value, canAwait }) =>
    `${deep(`d${x}`)}\nasync function ${x}() { useFuel(); for (;;) { try { return d${x}(${value()}) } finally { log('left'); if (${value()}) break } } return 'after' }\nasync function ${y}() { useFuel(); try { return { then(f) { log('asked'); f(1) } } } finally { if (${value()}) return d${x}(1) } }\n${outcome(canAwait, `${x}()`)}\n${outcome(canAwait, `${y}()`)}`,
  ({ x, y, value, canAwait }) =>
    `class ${x} extends Promise { static get [Symbol.species]() { log('species'); return Promise } then(...a) { log('own then'); return super.then(...a) } }\nconst ${y} = (v) => { useFuel(); return new ${x}((f, r) => v ? queueMicrotask(() => f(v)) : r(new Error('own'))) }\n${outcome(canAwait, `${y}(${value()})`)}\n${outcome(canAwait, `(async () => ${y}(${value()}))()`)}\nlog(${y}(1).constructor.name)`,
  ({ x, y, value, canAwait }) =>
    `const s${x} = Promise.resolve(${value()}), ${x} = () => { useFuel(); return s${x} }, ${y} = async () => { useFuel(); return ${x}() }\nlog(${x}() === s${x}, Reflect.ownKeys(s${x}).length)\nfor (let n = 0; n < 4; n++) ${outcome(canAwait, `${['x', 'y'][x.length % 2] === 'x' ? x : y}()`)}`,
];

/** Writes a program of {@link promiseStatements} only, some at the top level and some in functions that return promises. */
export function promiseProgram(choices: readonly number[]): string {
  let next = 0;
  const pick = (count: number): number => (choices[next++ % choices.length] ?? 0) % count;
  let named = 0;
  const value = (): string => ['0', '1', "'s'", 'null', '{ n: 1 }'][pick(5)] ?? '0';
  const statement = (canAwait: boolean): string => {
    const parts = { x: `x${named}`, y: `y${named++}`, target: undefined, value, statements: () => '' };
    return promiseStatements[pick(promiseStatements.length)]?.({ ...parts, canAwait }) ?? '';
  };
  const inFunction = (): string => {
    const isAsync = pick(2) === 0;
    const name = `f${named++}`;
    const call = pick(3) === 0 ? `await ${name}()` : `${name}()`;
    return `${isAsync ? 'async ' : ''}function ${name}() { useFuel()\n${statement(isAsync)}\nreturn Promise.resolve(${value()}) }\nlog(${call})`;
  };
  return Array.from({ length: 5 }, () => (pick(3) === 0 ? inFunction() : statement(true))).join('\n');
}
