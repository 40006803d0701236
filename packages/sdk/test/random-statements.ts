import { promiseStatements } from './promise-statements.ts';
import type { Parts } from './statement-parts.ts';

/**
 * Kinds of statements that a random program contains in addition to the basic ones: members of every kind, disposal, labels, lists, nested
 * scopes.
 */
export const moreStatements: readonly ((parts: Parts) => string)[] = [
  ...promiseStatements,
  ({ x, value }) =>
    `const ${x} = { n: ${value()}, get g() { useFuel(); return log('get', this.n) }, set g(v) { log('set', v); this.n = v } }\n${x}.g = ${x}.g + ${x}.g\nlog(${x}.g++, Object.keys(${x}).join())`,
  ({ x, y, value, statements }) =>
    `class ${x} { #p = log('field', ${value()}); static #s = 1; static t; get #g() { return this.#p } set #g(v) { useFuel(); this.#p = log('private set', v) } #m(${y}) {\nspend()\n${statements(y)}\n} static { this.t = log('static', ${x}.#s++) } get a() { return this.#g } set a(v) { this.#g = v } run() { this.#g += 2; return [this.#p, #p in this, this.#m?.(1), ${x}.t] } }\nlog(new ${x}().run(), (new ${x}().a = 4), ${x}.name, ${x}.length)`,
  ({ x, y, statements, value }) =>
    `{ using ${x} = { v: ${value()}, [Symbol.dispose]() { log('disposed', this.v) } }, ${y} = null\n${statements(x)}\n}`,
  ({ x, y, statements, canAwait }) =>
    canAwait
      ? `{ await using ${x} = { async [Symbol.asyncDispose]() { log('before'); await null; log('disposed') } }\nusing ${y} = { [Symbol.dispose]() { log('sync') } }\n${statements()}\n}\nlog('after')`
      : `{ using ${x} = null\n${statements()}\n}`,
  ({ x, y, statements, value, canAwait }) =>
    canAwait
      ? `try { for (const ${y} of [1, 2]) { await using ${x} = ${y} === 1 ? null : { async [Symbol.asyncDispose]() { if (${value()}) throw new Error('disposing') } }\nlog(${y})\n${statements(y)}\n} } catch (e) { log(e.name, e.suppressed) }\nlog('on')`
      : `for (using ${x} of [{ [Symbol.dispose]() { log('each') } }, null]) {\n${statements()}\n}`,
  ({ x, y, value, statements }) =>
    `${x}: for (const ${y} of [1, 2, 3]) { for (let ${y} = 0; ${y} < 2; useFuel(), ${y}++) { if (${value()}) continue ${x}; if (${value()}) break ${x}\n${statements(y)}\n} }`,
  ({ x, statements, value }) => `${x}: { if (${value()}) break ${x}\n${statements()}\n}\nlog('${x}')`,
  ({ x, y, value, statements }) =>
    `switch (${value()}) { case log(0): { const ${x} = ${value()}\nlog(${x})\nbreak } case 1: const ${x} = 5, ${y} = () => ${x}; default: let z${x} = ${value()}; function h${x}() { return z${x} }\nlog(h${x}())\n${statements()}\n}`,
  ({ x, y, value }) =>
    `const ${x} = (log(1), ${value()}), ${y} = ((a, b) => (log(a), b))(${x}, (2, ${value()}))\nlog(${x}, (${y}))`,
  ({ x, y, value }) =>
    `let ${x} = 1; const ${y} = ((a = () => ${x}, b = ${x}++) => { let ${x} = ${value()}; ${x} += b; return [a(), b, ${x}] })()\nlog(${y}, ${x})`,
  ({ x, y, value }) =>
    `const fs${x} = []; for (let ${x} = 0, ${y} = () => ${x}++; ${x} < 3; useFuel(), ${x}++) fs${x}.push(() => ${x} += 1, ${y})\nlog(fs${x}.map((f) => f()), ${value()})`,
  ({ x, y, value }) =>
    `const ${x} = function* () { try { const got = yield 1; log('got', got); yield* [got, ${value()}] } catch (e) { log('caught', e); return 7 } finally { log('left') } }, ${y} = ${x}()\nlog(${y}.next(), ${y}.next(2), ${y}.${['throw', 'return', 'next'][x.length % 3]}(3), ${y}.next())`,
  ({ x, target = `t${x}`, value }) =>
    `var t${x}; ({ a: ${target} = ${value()}, ...${target} } = { a: ${value()}, c: 1 }); [${target} = 2, , ...[${target}]] = [, 1, 2]; const ${x} = \`\${${target}}\`.length\nlog(${x}, typeof ${target})`,
  ({ x, value }) =>
    `const ${x} = { m() { return this?.n }, n: ${value()} }\nlog(${x}?.m(), ${x}.m?.(), (0, ${x}.m).call({ n: 4 }), ${x}['m'].name, delete ${x}.n, ${x}.m())`,
  ({ x, value }) =>
    `log(((s, ...v) => s.raw.join('|') + v.length)\`a\${${value()}}b\${(${value()}, 3)}\`, [...'ab', ...[${value()}]].length, new (class ${x} { constructor() { return { r: new.target.name } } })().r)`,
  ({ x, y, value }) =>
    `do { var ${x} = ${value()}; if (useFuel()) break; let ${y} = ${x}; if (${y}) continue } while (useFuel())\nlog(typeof ${x})`,
  ({ x, statements }) =>
    `try { try {\n${statements()}\n} finally { log('inner finally') } } catch ({ message: ${x} = 'none' }) { log(${x}) }`,
];
