import { type FunctionKind, names, type Place, spellings } from './grammar-parts.ts';
import type { Declaration, NameScope } from './grammar-scope.ts';

/**
 * Grammar rules that the rules for functions need, and that themselves need the rules for functions. They are passed in, because modules
 * must not import each other in a cycle.
 */
export interface GrammarRules {
  readonly expression: (w: Writing, place: Place) => string;
  readonly items: (w: Writing, place: Place) => string;
}

/** Turns a list of numbers into choices. When the list is used up, each choice is the first alternative, which is the shortest. */
export class Writing {
  /** Number of statements and expressions written. Above a limit, only the shortest alternatives are written. */
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

  /** Writes the end of a statement: a semicolon or a line end. A line end does not always end a statement. */
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

  /** Declares a random name in this scope and returns the name; undefined if three attempts fail. */
  declared(scope: NameScope, how: Declaration): string | undefined {
    for (let tries = 0; tries < 3; tries++) {
      const name = this.name();
      if (scope.declare(name, how)) return name;
    }
    return undefined;
  }
}
