import { type FunctionKind, names, type Place, spellings } from './grammar-parts.ts';
import type { Declaration, NameScope } from './grammar-scope.ts';

/** The rules that functions need, and that need functions: handed on here, since modules that import each other are not allowed. */
export interface GrammarRules {
  readonly expression: (w: Writing, place: Place) => string;
  readonly items: (w: Writing, place: Place) => string;
}

/** Turns a list of numbers into choices; where it is used up, each is the first, and the shortest. */
export class Writing {
  /** Statements and expressions written: beyond so many only the shortest follow. */
  parts = 0;
  readonly rules: GrammarRules;
  private readonly choices: readonly number[];
  private next = 0;

  constructor(choices: readonly number[], rules: GrammarRules) {
    this.choices = choices;
    this.rules = rules;
  }

  pick(below: number): number {
    return (this.choices[this.next++] ?? 0) % below;
  }

  flip(oneIn: number): boolean {
    return this.pick(oneIn) === oneIn - 1;
  }

  oneOf<T>(list: readonly [T, ...T[]]): T;
  oneOf<T>(list: readonly T[]): T | undefined;
  oneOf<T>(list: readonly T[]): T | undefined {
    return list[this.pick(list.length)];
  }

  /** The end of a statement: a line's alone may be none. */
  end(): string {
    return this.oneOf(['\n', ';', ';§', '\n§']);
  }

  kind(): FunctionKind {
    return this.oneOf<FunctionKind>(['sync', 'sync', 'async', 'generator', 'asyncGenerator']);
  }

  name(): string {
    return this.oneOf(names);
  }

  spelled(name: string): string {
    return this.flip(10) ? (spellings[name] ?? name) : name;
  }

  /** A name declared in this scope; undefined where three that were tried cannot be. */
  declared(scope: NameScope, how: Declaration): string | undefined {
    for (let tries = 0; tries < 3; tries++) {
      const name = this.name();
      if (scope.declare(name, how)) return name;
    }
    return undefined;
  }
}
