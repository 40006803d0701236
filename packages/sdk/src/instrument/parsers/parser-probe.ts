/** A program with nearly every kind of syntax, used to compare parsers. */
export const PARSER_PROBE = `#!/usr/bin/env node
'use strict'
import a, { b as c } from 'x' with { type: 'json' }
export default class extends (a, c) { static #p = () => 1; static { this.#p() } get [a.b]() { return 1 } set 'x y'(v) {} 1() {} async *gen() { yield* this; for await (const x of (a, b)) yield x } constructor() { super(...arguments); const f = () => super.m() } }
export const f = async ({ a = (1, 2), ...r }, [x, , y = () => x] = []) => (await using_(a), { r, y }), g = (x) => /* => */ (x, 1)
export function h() { label: for (var i = 0, j; i < 3; i++, j ??= i) { switch (i) { case 1: let k = i; continue label; default: { using u = null } } } do j--; while (j > 0); try { throw [j] } catch ([e]) { e++; ++e; e **= 2; [e, j] = [1, 2]; return (e, j) } finally { eval('1') } }
const { d: { e: [z] = [] } = {}, ...rest } = a?.b?.[c]?.(\`t\${(x) => x}\`) ?? tag\`\${() => 1}\`, o = { async m() {}, get x() { return new.target }, ['y' + 1]: class {}, __proto__: null }, \\u0061b = /[/]\\/(?<n>a)/u
if (a) b = () => {}; else c ||= function () {}; for (c.x of [1]) ; for (const k in o) (() => k)(); while (false) await import('x', {})
new (class { x = () => new.target; static y = 1n })().x(...rest), delete o.x, void 0, typeof o, -1`;
