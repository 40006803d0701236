/** Reads choices from a list, so that fast-check can shrink a generated program. */
class Choices {
  #at = 0;
  readonly #tape: readonly number[];

  constructor(tape: readonly number[]) {
    this.#tape = tape;
  }

  below(count: number): number {
    const value = this.#tape[this.#at++] ?? 0;
    return value % count;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  isOneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#tape.length;
  }
}

export interface Program {
  /** The function as its author wrote it. */
  readonly text: string;
  /** The same lines, which also report the lines and values at run time. */
  readonly traced: string;
  readonly calls: readonly string[];
}

interface Scope {
  readonly names: readonly string[];
  readonly errors: readonly string[];
  readonly inLoop: boolean;
  readonly inSwitch: boolean;
}

const FIRST_LINE = 10;
const MAX_DEPTH = 4;

/**
 * Writes a function with nested control flow. Its calls can fail immediately, or later through a promise, or return an error. `ran` reports
 * a line that runs, `bound` a variable that received its value, and `renew` the variables of a new iteration.
 */
export function writeProgram(tape: readonly number[]): Program {
  const writer = new ProgramWriter(new Choices(tape));
  return writer.write();
}

class ProgramWriter {
  readonly #text: string[] = [];
  readonly #traced: string[] = [];
  readonly #calls: string[] = [];
  #names = 0;
  readonly #choices: Choices;
  readonly #isAsync: boolean;
  readonly #end: string;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#isAsync = choices.isOneIn(2);
    this.#end = choices.isOneIn(4) ? '' : ';';
  }

  write(): Program {
    this.#line(`${this.#isAsync ? 'async ' : ''}function f(first) {`);
    this.#list({ names: ['first'], errors: [], inLoop: false, inSwitch: false }, 0);
    this.#line('}');
    return { text: this.#text.join('\n'), traced: this.#traced.join('\n'), calls: this.#calls };
  }

  /** Adds a line. The traced line runs `before` and `after` around the code. */
  #line(code: string, { before = '', after = '', instead = code } = {}): void {
    this.#text.push(code);
    this.#traced.push(`${before}${instead}${after === '' ? '' : `;${after}`}`);
  }

  get #number(): number {
    return FIRST_LINE + this.#text.length;
  }

  get #hit(): string {
    return `ran(${this.#number});`;
  }

  #name(kind: string): string {
    return `${kind}${this.#names++}`;
  }

  #call(): string {
    const used = this.#calls[0];
    if (used !== undefined && this.#choices.isOneIn(8)) return used;
    const name = this.#name('call');
    this.#calls.push(name);
    return name;
  }

  /** Writes statements, and returns the names that they declare. */
  #list(outer: Scope, depth: number): string[] {
    let scope = outer;
    const declared: string[] = [];
    const count = 1 + this.#choices.below(depth === 0 ? 6 : 3);
    for (let index = 0; index < count && !this.#choices.isEmpty; index++) {
      const { names, errors, inner } = this.#statement(scope, depth);
      scope = { ...scope, names: [...scope.names, ...names], errors: [...scope.errors, ...errors] };
      declared.push(...names, ...errors, ...inner);
    }
    return declared;
  }

  #statement(scope: Scope, depth: number): { names: string[]; errors: string[]; inner: string[] } {
    const none = { names: [], errors: [], inner: [] };
    const simple = [
      'declare',
      'declare',
      'declare',
      'expression',
      'expression',
      'use',
      'assign',
      'guard',
    ] as const;
    const nested = ['if', 'if', 'loop', 'try', 'switch', 'block', 'closure', 'multi'] as const;
    const leaving = ['return', 'throw', 'leave'] as const;
    const kind = this.#choices.pick([
      ...simple,
      ...(depth < MAX_DEPTH ? nested : (['use'] as const)),
      ...(depth > 0 || this.#choices.isOneIn(3) ? leaving : (['use'] as const)),
    ]);
    const end = this.#end;
    switch (kind) {
      case 'declare':
        return { ...none, ...this.#declare() };
      case 'expression':
        this.#line(`${this.#effect()}${end}`, { before: this.#hit });
        return none;
      case 'use':
        this.#line(`use(${this.#read(scope)}, ${this.#read(scope)})${end}`, { before: this.#hit });
        return none;
      case 'assign':
        this.#line(`box.value = ${this.#value()}${end}`, { before: this.#hit });
        return none;
      case 'guard': {
        const leave = this.#choices.pick([
          'throw new Error("guard")',
          'throw new RangeError("guard")',
          'return',
          'return 7',
        ]);
        const condition = this.#condition();
        this.#line(`if (${condition}) ${leave}${end}`, {
          instead: `if (ran(${this.#number}), ${condition}) ${leave}${end}`,
        });
        return none;
      }
      case 'if':
        return { ...none, inner: this.#if(scope, depth) };
      case 'loop':
        return { ...none, inner: this.#loop(scope, depth) };
      case 'try':
        return { ...none, inner: this.#try(scope, depth) };
      case 'switch':
        return { ...none, inner: this.#switch(scope, depth) };
      case 'block': {
        this.#line('{', { before: this.#hit });
        const inner = this.#list(scope, depth + 1);
        this.#line('}');
        return { ...none, inner };
      }
      case 'closure': {
        const call = this.#call();
        this.#line('run(() => {', { before: this.#hit });
        this.#line(`  return ${call}()${end}`);
        this.#line(`})${end}`);
        return none;
      }
      case 'multi': {
        const name = this.#name('many');
        const [one, two] = [this.#value(), this.#value()];
        this.#line(`const ${name} = sum(`, { before: this.#hit });
        this.#line(`  ${one},`, { instead: `(ran(${this.#number}), ${one}),` });
        this.#line(`  ${two},`, { instead: `(ran(${this.#number}), ${two}),` });
        this.#line(`)${end}`, { after: `bound('${name}', ${name})` });
        return { names: [name], errors: [], inner: [] };
      }
      case 'return': {
        const value = this.#choices.pick(['', ' null', ` ${this.#value()}`, ` ${this.#read(scope)}`]);
        this.#line(`return${value}${end}`, { before: this.#hit });
        return none;
      }
      case 'throw': {
        const error = scope.errors.at(-1);
        this.#line(
          `throw ${error !== undefined && !this.#choices.isOneIn(3) ? error : 'new Error("thrown")'}${end}`,
          {
            before: this.#hit,
          },
        );
        return none;
      }
      case 'leave':
        if (!scope.inLoop && !scope.inSwitch) return none;
        this.#line(`${scope.inLoop && this.#choices.isOneIn(2) ? 'continue' : 'break'}${end}`, {
          before: this.#hit,
        });
        return none;
    }
  }

  #declare(): { names: string[]; errors: string[] } {
    const isError = this.#choices.isOneIn(5);
    const name = this.#name(isError ? 'error' : 'value');
    const isLet = this.#choices.isOneIn(4);
    const value = isError
      ? this.#choices.pick(['new Error("made")', `caught(${this.#call()})`])
      : this.#choices.pick([this.#value(), this.#value(), '5', isLet ? '' : '6']);
    this.#line(`${isLet ? 'let' : 'const'} ${name}${value === '' ? '' : ` = ${value}`}${this.#end}`, {
      before: this.#hit,
      after: `bound('${name}', ${name})`,
    });
    return isError ? { names: [], errors: [name] } : { names: [name], errors: [] };
  }

  #value(): string {
    const call = this.#call();
    const other = this.#choices.isOneIn(3) ? this.#call() : 'pick';
    return this.#choices.pick([
      `${call}()`,
      this.#isAsync ? `await ${call}()` : `${call}()`,
      this.#isAsync ? `await ${call}()` : `${call}(${other}())`,
      'maybe().field',
      `pick() ? ${call}() : ${other}()`,
      `pick() && ${call}()`,
      `quiet(Promise.all(pick() ? [${call}()] : 5))`,
    ]);
  }

  #effect(): string {
    const call = this.#call();
    return this.#choices.pick([
      `${call}()`,
      `store(${call})`,
      this.#isAsync ? `await ${call}()` : `${call}()`,
      this.#isAsync ? 'await box.value' : 'maybe().field',
      'maybe().field',
    ]);
  }

  #condition(): string {
    return this.#choices.pick([
      'pick()',
      '!pick()',
      this.#isAsync ? `await ${this.#call()}()` : `${this.#call()}()`,
      'maybe().field',
    ]);
  }

  #read({ names, errors }: Scope): string {
    const known = [...names, ...errors];
    const read = known[known.length - 1 - this.#choices.below(known.length)] ?? 'first';
    return this.#isAsync && this.#choices.isOneIn(3) ? `await ${read}` : read;
  }

  #if(scope: Scope, depth: number): string[] {
    const condition = this.#condition();
    this.#line(`if (${condition}) {`, { instead: `if (ran(${this.#number}), ${condition}) {` });
    const declared = this.#list(scope, depth + 1);
    if (this.#choices.isOneIn(3)) {
      const another = this.#condition();
      this.#line(`} else if (${another}) {`, { instead: `} else if (ran(${this.#number}), ${another}) {` });
      declared.push(...this.#list(scope, depth + 1));
    }
    if (this.#choices.isOneIn(2)) {
      this.#line('} else {');
      declared.push(...this.#list(scope, depth + 1));
    }
    this.#line('}');
    return declared;
  }

  #loop(scope: Scope, depth: number): string[] {
    const name = this.#name('item');
    const kind = this.#choices.pick(['for', 'while', 'do']);
    const head =
      kind === 'for' ? `for (const ${name} of items()) {` : kind === 'do' ? 'do {' : 'while (more()) {';
    const at = this.#traced.length;
    this.#line(head, { before: kind === 'do' ? '' : this.#hit });
    const inside = {
      ...scope,
      names: kind === 'for' ? [...scope.names, name] : scope.names,
      inLoop: true,
      inSwitch: false,
    };
    const declared = this.#list(inside, depth + 1);
    this.#traced[at] +=
      `renew(${JSON.stringify(declared)});${kind === 'for' ? `bound('${name}', ${name});` : ''}`;
    this.#line(kind === 'do' ? `} while (more())${this.#end}` : '}');
    return [...declared, name];
  }

  #try(scope: Scope, depth: number): string[] {
    const kind = this.#choices.pick(['catch', 'finally', 'both']);
    this.#line('try {');
    const declared = this.#list(scope, depth + 1);
    if (kind !== 'finally') {
      const name = this.#name('reason');
      this.#line(`} catch (${name}) {`, { instead: `} catch (${name}) { bound('${name}', ${name});` });
      declared.push(name, ...this.#list({ ...scope, errors: [...scope.errors, name] }, depth + 1));
    }
    if (kind !== 'catch') {
      this.#line('} finally {');
      declared.push(...this.#list(scope, depth + 1));
    }
    this.#line('}');
    return declared;
  }

  #switch(scope: Scope, depth: number): string[] {
    this.#line('switch (choose()) {', { before: this.#hit });
    const declared: string[] = [];
    for (const label of ['case 0:', 'case 1:', 'default:']) {
      this.#line(label);
      declared.push(...this.#list({ ...scope, inSwitch: true }, depth + 1));
      if (this.#choices.isOneIn(2)) this.#line(`break${this.#end}`, { before: this.#hit });
    }
    this.#line('}');
    return declared;
  }
}
