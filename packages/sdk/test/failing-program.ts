/**
 * Writes a program that reads, calls, destructures and iterates over null, undefined, numbers and objects. Most of these programs fail. The
 * choices come from a list of numbers. When the list is used up, each choice is the first and shortest alternative.
 */
export function failingProgram(choices: readonly number[]): string {
  const w = new FailingWriter(choices);
  const kind = w.pick(KINDS.length);
  const body = w.inside(kind, () => w.statements(3));
  return `${WORLD}\n${KINDS[kind]?.(body)}\nexports.main = () => main.call(o, n, x, o)`;
}

const WORLD =
  "const n = null, x = 1, k = 'kk', s = 's', f = ((v) => v).bind(null), t = (() => n).bind(null); let u, out; const Made = class { constructor(p) { this.p = p } static q = 1 }.bind(null);\nconst o = { p: n, q: { r: u }, kk: x, m() { return this.p }, l: [n, x], f, get g() { return u } };";

/** For each kind of function: wraps a body in a function of this kind. Generators are resumed up to five times. */
const KINDS: readonly ((body: string) => string)[] = [
  (body) => `function main(d, e, h) { var a, b = n, c = o; ${body} }`,
  (body) => `async function main(d, e, h) { var a, b = n, c = o; ${body} }`,
  (body) =>
    `function* inner(d, e, h) { var a, b = n, c = o; ${body} }\nfunction main() { const g = inner.apply(this, arguments); for (let r = g.next(), i = 0; !r.done && i < 5; i++) r = g.next(r.value) }`,
  (body) =>
    `async function* inner(d, e, h) { var a, b = n, c = o; ${body} }\nasync function main() { const g = inner.apply(this, arguments); for (let r = await g.next(), i = 0; !r.done && i < 5; i++) r = await g.next(r.value) }`,
];

const MAX_DEPTH = 4;
const NAMES = ['n', 'u', 'x', 'o', 'a', 'b', 'c', 'd', 'e', 'h', 'f', 't', 's', 'Made'] as const;
const LOCALS = ['a', 'b', 'c', 'd'] as const;
const KEYS = ['p', 'q', 'r', 'm', 'l', 'g', 'none'] as const;
const LITERALS = [
  'null',
  '1',
  "'s'",
  'true',
  '1n',
  '{}',
  '[]',
  '-1',
  '0.50',
  '`t`',
  '/r/',
  'void 0',
] as const;

class FailingWriter {
  private readonly choices: readonly number[];
  private next = 0;
  private depth = 0;
  private canAwait = false;
  private canYield = false;

  constructor(choices: readonly number[]) {
    this.choices = choices;
  }

  pick(below: number): number {
    return (this.choices[this.next++] ?? 0) % below;
  }

  private oneOf<T>(list: readonly [T, ...T[]]): T {
    return list[this.pick(list.length)] ?? list[0];
  }

  /** Writes the body of a function whose kind is an index of {@link KINDS}. */
  inside(kind: number, write: () => string): string {
    const { canAwait, canYield } = this;
    this.canAwait = kind % 2 === 1;
    this.canYield = kind > 1;
    const text = write();
    this.canAwait = canAwait;
    this.canYield = canYield;
    return text;
  }

  statements(atMost: number): string {
    const count = 1 + this.pick(atMost);
    return Array.from({ length: count }, () => this.statement()).join('; ');
  }

  private statement(): string {
    const e = () => this.expression();
    if (this.depth > 2) return `f(${e()})`;
    this.depth++;
    const text = this.statementOf(e);
    this.depth--;
    return text;
  }

  private statementOf(e: () => string): string {
    switch (this.pick(24)) {
      case 0:
        return `;(${e()})`;
      case 1:
        return `out = ${e()}`;
      case 2:
        return `{ ${this.oneOf(['const', 'let', 'var'])} ${this.pattern(true)} = ${e()} }`;
      case 3:
        return `return ${e()}`;
      case 4:
        return `throw ${e()}`;
      case 5:
        return `if (${e()}) { ${this.statement()} } else ${this.statement()}`;
      case 6:
        return `for (const ${this.pattern(true)} of ${this.subject()}) { ${this.statement()} }`;
      case 7:
        return `for (${this.pattern(false)} of [${e()}]) { ${this.statement()} }`;
      case 8:
        return this.canAwait
          ? `for await (const ${this.pattern(true)} of ${this.subject()}) { ${this.statement()} }`
          : `for (${this.oneOf(['let', 'const'])} ${this.pattern(true)} of ${this.subject()}) f(1)`;
      case 9:
        return `for (const y in ${e()}) { ${this.statement()} }`;
      case 10:
        return `try { ${this.statement()} } catch ({ message: v }) { ${this.statement()} } finally { f(1) }`;
      case 11:
        return `try { ${this.statement()} } finally { ${this.statement()} }`;
      case 12:
        return `switch (${e()}) { case ${e()}: ${this.statement()}; break; default: ${this.statement()} }`;
      case 13:
        return `{ function g(${this.pattern(true)} = ${e()}) { ${this.inside(0, () => this.statement())} } ; g(${e()}) }`;
      case 14:
        return `{ class K extends (${e()}) { static { ${this.inside(0, () => `f(${this.expression()})`)} } } ; f(K) }`;
      case 15:
        return this.canAwait ? `{ await using y = ${e()} }` : `{ using y = ${e()} }`;
      case 16:
        return `{ const y = ${e()}, ${this.pattern(true)} = ${e()}; ${this.statement()} }`;
      case 17:
        return `for (let y = ${e()}, i = 0; i < 2; i++) { const r = () => y; ${this.statement()} }`;
      case 18:
        return `{ late; let late = ${e()} }`;
      case 19:
        return `${this.oneOf(LOCALS)} = ${e()}`;
      case 20:
        return `;(${this.pattern(false)} = ${e()})`;
      case 21:
        return `y: do { ${this.statement()}; break y } while (${e()})`;
      case 22:
        return `{ const y = ${e()}; x = y }`;
      default:
        return `;${this.head()}`;
    }
  }

  /** Writes a pattern of new names, or of names that exist. */
  private pattern(isNew: boolean): string {
    const [first, second] = isNew ? ['v', 'w'] : ['a', 'b'];
    switch (this.pick(9)) {
      case 0:
        return `{ p: ${first} }`;
      case 1:
        return `[${first}]`;
      case 2:
        return `{ p: { q: ${first} } }`;
      case 3:
        return `{ p: ${first} = ${this.expression()}, ...${second} }`;
      case 4:
        return `[, ${first} = ${this.expression()}, ...${second}]`;
      case 5:
        return `{ [${this.expression()}]: ${first} }`;
      case 6:
        return `[{ q: ${first} } = ${this.expression()}]`;
      case 7:
        return '{}';
      default:
        return `[[${first}], ${second}]`;
    }
  }

  /** Writes the subject of a loop, in the forms whose error messages are the same with instrumentation. */
  private subject(): string {
    const text = this.expression();
    const isRare = /^(?:[!~+{-]|void|delete|typeof)| = |[`(]|class/.test(text);
    return isRare ? 'o.q' : `(${text})`;
  }

  /** Writes an expression that can stand before `.` and `(`. */
  private head(): string {
    const text = this.expression();
    return /^(?!async\b|function\b|class\b|new\b|null$)[\w.]+$/.test(text) && !/^\d/.test(text)
      ? text
      : `(${text})`;
  }

  private list(): string {
    return Array.from({ length: this.pick(4) }, () => this.item()).join(', ');
  }

  private item(): string {
    return this.pick(4) === 3 ? `...${this.operand()}` : this.operand();
  }

  /** Writes an expression that is not a comma expression. */
  private operand(): string {
    const text = this.expression();
    return /^[\w.]+$/.test(text) ? text : `(${text})`;
  }

  expression(): string {
    if (this.depth >= MAX_DEPTH) return this.oneOf(NAMES);
    this.depth++;
    const text = this.expressionOf();
    this.depth--;
    return text;
  }

  private expressionOf(): string {
    const e = () => this.operand();
    switch (this.pick(44)) {
      case 0:
      case 1:
        return this.oneOf(NAMES);
      case 2:
        return this.literal();
      case 3:
      case 4:
        return `${this.head()}.${this.oneOf(KEYS)}`;
      case 5:
        return `${this.head()}?.${this.oneOf(KEYS)}`;
      case 6:
        return `${this.head()}[${this.expression()}]`;
      case 7:
        return `${this.head()}['${this.oneOf(KEYS)}']`;
      case 8:
      case 9:
        return `${this.head()}(${this.list()})`;
      case 10:
        return `${this.head()}.${this.oneOf(KEYS)}(${this.list()})`;
      case 11:
        return `${this.head()}?.(${this.list()})`;
      case 12:
        return `new (${this.expression()})(${this.list()})`;
      case 13:
        return `${this.head()}\`a\${${this.expression()}}\``;
      case 14:
        return `${e()}, ${e()}`;
      case 15:
        return `${e()}, ${e()}, ${e()}`;
      case 16:
        return `${e()} ? ${e()} : ${e()}`;
      case 17:
        return `${e()} ${this.oneOf(['??', '||', '&&'])} ${e()}`;
      case 18:
        return `${this.oneOf(LOCALS)} ${this.oneOf(['=', '??=', '||=', '&&=', '+='])} ${e()}`;
      case 19:
        return this.oneOf(['a++', '--b', 'c--', '++d', 'u++']);
      case 20:
        return `${this.head()}.${this.oneOf(KEYS)} ${this.oneOf(['=', '??=', '+='])} ${e()}`;
      case 21:
      case 22:
        return `${this.pattern(false)} = ${e()}`;
      case 23:
        return `${this.oneOf(['!', '-', 'typeof ', 'void ', '+', '~'])}${e()}`;
      case 24:
        return `delete ${this.head()}.p`;
      case 25:
        return `${e()} ${this.oneOf(['+', 'in', 'instanceof', '===', '<', '*'])} ${e()}`;
      case 26:
      case 27:
        return `[${this.oneOf(['', ', ', ', , '])}${this.operand()}${this.oneOf(['', ', , ', ', '])}]`;
      case 28:
        return `{ p: ${e()}, ...${e()}, [${e()}]: ${e()} }`;
      case 29:
        return `() => ${e()}`;
      case 30:
        return `((${this.pick(2) === 0 ? '' : this.pattern(true)}) => ${e()})(${this.list()})`;
      case 31:
        return `(() => { ${this.inside(0, () => this.statements(3))}; return ${this.oneOf(NAMES)} })()`;
      case 32:
        return `(function (v) { ${this.inside(0, () => this.statements(2))} })(${this.list()})`;
      case 33:
        return this.canAwait
          ? `await (async () => { ${this.inside(1, () => this.statements(2))} })()`
          : `function () { return ${this.inside(0, e)} }`;
      case 34:
        return `[...(function* () { ${this.inside(2, () => this.statements(2))} })()]`;
      case 35:
        return this.oneOf([
          `class extends ${this.head()} {}`,
          `class { static p = ${this.inside(0, e)} }`,
          'class { static #p; static m(v) { return v.#p } }',
        ]);
      case 36:
      case 37:
      case 38:
        return this.canAwait ? `await ${e()}` : this.oneOf(['this.p', 'this', 'n']);
      case 39:
      case 40:
        return this.canYield ? `yield ${e()}` : this.oneOf(['o.l', 'o.p', 'f(n)']);
      case 41:
        return `t(${this.list()})`;
      case 42:
        return `Array.from(${e()})`;
      default:
        return `(${this.head()})`;
    }
  }

  private literal(): string {
    return this.oneOf(LITERALS);
  }
}
