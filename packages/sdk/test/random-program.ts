import { moreStatements } from './random-statements.ts';

/**
 * Writes a random JavaScript program from a list of numbers, so that a property test can shrink the program. The program
 * is the body of `async function (log, useFuel, cut)`. It reports everything it does with `log`. Every function first
 * calls `useFuel()`, which throws when the program has run long enough. Every value that may be a string goes through
 * `cut`, which shortens strings, because a string could double in each iteration of a loop.
 */
export function randomProgram(choices: readonly number[]): string {
  return new ProgramWriter(choices).program();
}

type FunctionKind = 'sync' | 'async' | 'generator' | 'asyncGenerator';

interface Place {
  readonly kind: FunctionKind;
  readonly depth: number;
  /** Names that may be read. The next field contains the names that may be assigned to. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly inLoop: boolean;
  readonly hasThis: boolean;
  readonly hasArguments: boolean;
}

const top: Place = {
  kind: 'async',
  depth: 0,
  readable: [],
  writable: [],
  inLoop: false,
  hasThis: false,
  hasArguments: false,
};

const shapes: readonly {
  readonly kind: FunctionKind;
  readonly write: (name: string, head: string, body: string) => string;
}[] = [
  { kind: 'sync', write: (name, head, body) => `function ${name}(${head}) {${body}}` },
  { kind: 'async', write: (name, head, body) => `async function ${name}(${head}) {${body}}` },
  { kind: 'generator', write: (name, head, body) => `function* ${name}(${head}) {${body}}` },
  { kind: 'asyncGenerator', write: (name, head, body) => `async function* ${name}(${head}) {${body}}` },
  { kind: 'sync', write: (name, head, body) => `var ${name} = (${head}) => {${body}}` },
  { kind: 'async', write: (name, head, body) => `var ${name} = async (${head}) => {${body}}` },
  { kind: 'sync', write: (name, head, body) => `var ${name} = function (${head}) {${body}}` },
  {
    kind: 'sync',
    write: (name, head, body) =>
      `class C${name} { x = 7; #p = 1; m(${head}) {${body}} get g() { return this.x } static s(${head}) {return 3} }; var ${name} = (...a) => new C${name}().m(...a)`,
  },
  {
    kind: 'sync',
    write: (name, head, body) =>
      `class B${name} { constructor() { this.b = log('base', new.target.name) } } class D${name} extends B${name} { constructor(${head}) { const first = useFuel(); super();${body}} }; var ${name} = (...a) => log(Object.keys(new D${name}(...a)).join())`,
  },
];

class ProgramWriter {
  private readonly choices: readonly number[];
  private next = 0;
  private names = 0;
  private readonly functions: { readonly name: string; readonly kind: FunctionKind }[] = [];

  constructor(choices: readonly number[]) {
    this.choices = choices;
  }

  program(): string {
    const count = 2 + this.pick(3);
    const declared: string[] = [];
    // Every function can refer to all others, so functions call each other before and after their declarations.
    const chosen = Array.from({ length: count }, (_, index) => {
      const shape = shapes[this.pick(shapes.length)] ?? shapes[0];
      if (shape === undefined) throw new Error('no shape');
      this.functions.push({ name: `f${index}`, kind: shape.kind });
      return { shape, name: `f${index}` };
    });
    for (const { shape, name } of chosen) declared.push(this.function(shape, name, top));
    const calls = this.functions.map(
      ({ name, kind }) =>
        `try { log('${name}', ${name}.name, ${name}.length, ${this.consumed(name, kind, '1, {a: 2, b: [3]}, 4, 5')}) } catch (e) { log('threw', e) }`,
    );
    return `${declared.join('\n')}\n${calls.join('\n')}\nawait Promise.all([${this.functions
      .filter(({ kind }) => kind === 'async')
      .map(({ name }) => `${name}(2).then(log, log)`)
      .join(', ')}])`;
  }

  private function(shape: (typeof shapes)[number], name: string, outer: Place): string {
    const parameters = this.parameters({ ...outer, kind: 'sync' });
    const isArrow = shape.write('n', '', '').includes('=>') && !shape.write('n', '', '').includes('class');
    const isClass = shape.write('n', '', '').includes('class');
    const place: Place = {
      kind: shape.kind,
      depth: outer.depth + 1,
      readable: [...outer.readable, ...parameters.names],
      writable: [...outer.writable, ...parameters.names],
      inLoop: false,
      hasThis: isClass,
      hasArguments: !isArrow,
    };
    const directive = this.pick(6) === 0 && parameters.isSimple ? " 'use strict'\n" : '';
    return shape.write(name, parameters.head, `${directive} useFuel();\n${this.statements(place)}\n`);
  }

  private parameters(outer: Place): { head: string; names: string[]; isSimple: boolean } {
    const [a, b, c, d] = [this.name('p'), this.name('p'), this.name('p'), this.name('p')];
    switch (this.pick(5)) {
      case 0:
        return { head: `${a}, ${b}`, names: [a, b], isSimple: true };
      case 1:
        return { head: `${a} = ${this.expression(outer, 1)}, ${b} = ${a}`, names: [a, b], isSimple: false };
      case 2:
        return { head: `${a}, {a: ${b}, b: [${c}] = [1]} = {}`, names: [a, b, c], isSimple: false };
      case 3:
        return { head: `${a}, ...${d}`, names: [a, d], isSimple: false };
      default:
        return { head: '', names: [], isSimple: true };
    }
  }

  private statements(place: Place): string {
    const count = 1 + this.pick(4);
    let { readable, writable } = place;
    const lines: string[] = [];
    for (let index = 0; index < count; index++) {
      const written = this.statement({ ...place, readable, writable });
      readable = [...readable, ...written.reads];
      writable = [...writable, ...written.writes];
      lines.push(written.text);
    }
    // Writes semicolons only where the language requires them, because inserted text must not join lines that have no semicolon.
    return lines.map((line) => (/^[[(`+\-/]/.test(line) ? `;${line}` : line)).join('\n');
  }

  private statement(place: Place): { text: string; reads: string[]; writes: string[] } {
    const plain = (text: string): { text: string; reads: string[]; writes: string[] } => ({
      text,
      reads: [],
      writes: [],
    });
    const x = this.name('v');
    const y = this.name('v');
    const target = this.oneOf(place.writable);
    const value = (): string => this.expression(place, 0);
    const deep = place.depth > 4;
    const inner: Place = { ...place, depth: place.depth + 1 };
    const loop: Place = { ...inner, inLoop: true };
    const chosen = this.pick(deep ? 12 : 30 + moreStatements.length);
    const more = moreStatements[chosen - 30];
    if (more !== undefined) {
      const canAwait = place.kind === 'async' || place.kind === 'asyncGenerator';
      const statements = (...names: string[]): string =>
        this.statements({ ...inner, readable: [...place.readable, ...names] });
      return plain(more({ x, y, target, canAwait, value, statements }));
    }
    switch (chosen) {
      case 0:
        return plain(`log(${value()})`);
      case 1:
        return { text: `let ${x} = ${value()}`, reads: [x], writes: [x] };
      case 2:
        return { text: `const ${x} = ${value()}, ${y} = [${x}, ${value()}]`, reads: [x, y], writes: [] };
      case 3:
        return { text: `var ${x} = ${value()}`, reads: [x], writes: [x] };
      case 4:
        return target === undefined ? plain('') : plain(`${target} = ${value()}`);
      case 5:
        return target === undefined
          ? plain('')
          : plain(`${target}${this.oneOf(['++', '--', ' += 2', ' ??= 3', ' ||= 4', ' &&= 5'])}`);
      case 6:
        return target === undefined ? plain('') : plain(`;[${target}] = [${value()}]`);
      case 7:
        return { text: `const {a: ${x} = ${value()}, ...${y}} = {b: ${value()}}`, reads: [x, y], writes: [] };
      case 8:
        return { text: `let ${x}`, reads: [x], writes: [x] };
      case 9:
        return plain(this.suspension(place));
      case 10:
        return plain(`if (${value()}) throw new Error('thrown ' + ${value()})`);
      case 11:
        return plain(`if (${value()}) return ${this.pick(3) === 0 ? '' : value()}`);
      case 12:
        return plain(`if (${value()}) {\n${this.statements(inner)}\n} else {\n${this.statements(inner)}\n}`);
      case 13:
        return plain(
          `for (let ${x} = 0, ${y} = 2; ${x} < ${y}; ${x}++) {\n${this.statements({ ...loop, readable: [...place.readable, x], writable: place.writable })}\n}`,
        );
      case 14:
        return plain(
          `for (const ${x} of [1, ${value()}]) ${this.body({ ...loop, readable: [...place.readable, x] })}`,
        );
      case 15:
        return plain(
          `for (const ${x} in {k: ${value()}, l: 1}) ${this.body({ ...loop, readable: [...place.readable, x] })}`,
        );
      case 16:
        return plain(
          `{ let ${x} = 3; while (${x}-- > 0) {\n${this.statements({ ...loop, readable: [...place.readable, x] })}\n} }`,
        );
      case 17:
        return plain(
          `try {\n${this.statements(inner)}\n} catch (${x}) {\n${x}.message &&= cut('told ' + ${x}.message)\nlog(${x})\n${this.statements({ ...inner, readable: [...place.readable, x] })}\n}`,
        );
      case 18:
        return plain(
          `try {\n${this.statements(inner)}\n} finally {\nlog('finally', ${value()})\n${this.statements(inner)}\n}`,
        );
      case 19:
        return plain(
          `switch (${value()}) { case 1: let ${x} = ${value()}\nlog(${x})\ndefault:\n${this.statements(inner)}\n}`,
        );
      case 20:
        return plain(
          `l${x}: for (;; useFuel()) {\n${this.statements(loop)}\n${this.oneOf(['break', 'if (useFuel()) continue; else break'])} l${x}\n}`,
        );
      case 21:
      case 22: {
        const shape = shapes[this.pick(shapes.length)];
        if (shape === undefined) return plain('');
        const text = this.function(shape, x, place);
        return {
          text: `${text}\nlog(${this.consumed(x, shape.kind, '1', place.kind)})`,
          reads: [],
          writes: [],
        };
      }
      case 23:
        return {
          text: `const ${x} = () => ${this.expression({ ...place, kind: 'sync' }, 0)}, ${y} = function () {}\nlog(${x}.name, ${y}.name, ${x}())`,
          reads: [],
          writes: [],
        };
      case 24:
        return place.inLoop ? plain(`if (${value()}) ${this.oneOf(['break', 'continue'])}`) : plain('');
      case 25:
        return place.hasThis ? plain("this.z = log('this', typeof this)") : plain('');
      case 26:
        return place.hasArguments ? plain('log(arguments.length, arguments[0])') : plain('');
      case 27:
        return plain(`try { null.${x} } catch (e) { log(e) }`);
      case 28:
        return {
          text: `class ${x} { f = ${this.expression({ ...place, kind: 'sync' }, 0)}; static m() { return ${this.expression({ ...place, kind: 'sync' }, 0)} } }\nlog(new ${x}().f, ${x}.m())`,
          reads: [],
          writes: [],
        };
      default:
        return plain(`${this.oneOf(['log', 'void 0, log'])}(typeof ${x}, (${value()}, ${value()}))`);
    }
  }

  private body(place: Place): string {
    return this.pick(2) === 0 ? `log(${this.expression(place, 0)})` : `{\n${this.statements(place)}\n}`;
  }

  private suspension({ kind, readable }: Place): string {
    const value = this.oneOf(readable) ?? '1';
    const isAsync = kind === 'async' || kind === 'asyncGenerator';
    const options = [
      ...(isAsync
        ? [
            `await ${value}`,
            `await log('awaited', await ${value})`,
            `for await (const q of [${value}, 2]) log(q)`,
            `log(await Promise.reject(new Error('no')).catch((e) => e), 1)`,
            'await Promise.reject(new TypeError(1))',
            `log('from then', await { get then() { log('asked'); return function begin(ok, no) { log('began'); ${value} ? ok(${value}) : no(new Error('refused')) } } })`,
            ...this.delegates(
              'asyncGenerator',
              (f) => `for await (const q of ${f}(1)) { log(q); if (q) break }`,
            ),
          ]
        : []),
      ...(kind === 'generator'
        ? [
            `yield ${value}`,
            `log(yield)`,
            `yield* [${value}, 5]`,
            ...this.delegates('generator', (f) => `yield* ${f}(2)`),
          ]
        : []),
      ...(kind === 'asyncGenerator'
        ? [
            `yield ${value}`,
            `log(yield await ${value})`,
            ...this.delegates('asyncGenerator', (f) => `yield* ${f}(2)`),
            ...this.delegates('generator', (f) => `yield* ${f}(Promise.resolve(2))`),
          ]
        : []),
    ];
    return this.oneOf(options) ?? `log(${value})`;
  }

  private delegates(kind: FunctionKind, write: (name: string) => string): string[] {
    return this.functions.filter((one) => one.kind === kind).map(({ name }) => write(name));
  }

  private expression(place: Place, depth: number): string {
    const name = this.oneOf(place.readable) ?? '0';
    const inner = (): string => this.expression(place, depth + 1);
    const writable = this.oneOf(place.writable);
    const isAsync = place.kind === 'async' || place.kind === 'asyncGenerator';
    switch (depth > 2 ? this.pick(3) : this.pick(16)) {
      case 0:
        return `${this.pick(3)}`;
      case 1:
        return name;
      case 2:
        return `'s${this.pick(3)}'`;
      case 3:
        return `cut(${inner()} + ${inner()})`;
      case 4:
        return `(${inner()} ? ${inner()} : ${inner()})`;
      case 5:
        return `log(${inner()})`;
      case 6:
        return writable === undefined ? '1' : `(${writable} = ${inner()})`;
      case 7:
        return writable === undefined ? '1' : `${writable}++ + 1`;
      case 8:
        return writable === undefined ? '1' : `(--${writable})`;
      case 9:
        return isAsync && depth >= 0 && place.depth > 0 ? `(await ${inner()})` : inner();
      case 10:
        return `[${inner()}, ${inner()}].map((m) => cut(m + ${inner()}))`
          .replaceAll('await ', '')
          .replaceAll('yield ', '');
      case 11: {
        const called = this.functions.find(({ kind }) => kind === 'sync');
        return called === undefined ? '2' : `${called.name}(${inner()})`;
      }
      case 12:
        return `cut(\`t\${${inner()}}\`)`;
      case 13:
        return place.kind === 'generator' && place.depth > 0 && depth === 0 ? `(yield ${inner()})` : '3';
      case 14:
        return `((n) => ({ n, m() { return n } }))(${inner()}).m()`;
      default:
        return writable === undefined ? '1' : `(({ a: ${writable} } = { a: ${inner()} }).a)`;
    }
  }

  private consumed(name: string, kind: FunctionKind, args: string, from: FunctionKind = 'async'): string {
    const canAwait = from === 'async' || from === 'asyncGenerator';
    switch (kind) {
      case 'sync':
        return `${name}(${args})`;
      case 'async':
        return canAwait ? `await ${name}(${args})` : `${name}(${args}).then(log, log)`;
      case 'generator':
        return `[...${name}(${args})].length`;
      case 'asyncGenerator':
        return canAwait
          ? `await (async () => { const all = []; for await (const one of ${name}(${args})) all.push(one); return all })()`
          : `${name}(${args}).next().then((r) => log(r.value), log)`;
    }
  }

  private name(prefix: string): string {
    // There are few names, so that inner scopes shadow outer ones. No scope declares a name twice.
    return `${prefix}${this.names++ % 40}`;
  }

  private pick(count: number): number {
    const choice = this.choices[this.next++] ?? 0;
    return choice % count;
  }

  private oneOf<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.pick(list.length)];
  }
}
