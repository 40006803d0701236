import type { LevelTexts } from './injected-names.ts';
import type { Node } from './tree.ts';

export type BindingKind = 'parameter' | 'var' | 'let' | 'const' | 'function' | 'class' | 'catch' | 'outside';

export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly start: number;
  readonly scope: Scope;
  /** The injected variable that follows a block-scoped binding's value, since a `catch` around the body cannot see the binding itself. */
  mirror: string | null;
}

export interface Scope {
  readonly parent: Scope | null;
  /** The function whose binding it is; null outside of functions and where no values are taken. */
  owner: FunctionModel | null;
  readonly isFunction: boolean;
  /** Null for none: most scopes declare nothing. */
  bindings: Map<string, Binding> | null;
  /** Whether an `await using` of this scope was met. */
  disposes: boolean;
  /** The innermost statement of a list around this scope, and so all of them up to the function: after each the scope's bindings are gone. */
  readonly around: ListStatement | null;
  /** The innermost loop body around this scope, and so all: at the start of each turn its bindings are not there yet. */
  readonly loop: LoopBody | null;
}

export interface ListStatement {
  readonly outer: ListStatement | null;
  readonly end: number;
  readonly depth: number;
}

export interface LoopBody {
  readonly outer: LoopBody | null;
  readonly node: Node;
  readonly depth: number;
  /** Bindings that have their value when the body begins. */
  readonly ready: Target[];
  readonly awaits: FunctionModel | null;
}

/** A name that some code gives a value, to be looked up once all scopes are known. */
export interface Target {
  readonly name: string;
  readonly scope: Scope;
}

export type WriteForm =
  /** `x = 1`, `x += 1` */
  | 'assignment'
  /** `++x` */
  | 'prefix'
  /** `x++`, or `[x, y] = z`: the values are read afterwards */
  | 'after'
  /** The same where nobody uses the result */
  | 'statement';

export interface Write {
  readonly form: WriteForm;
  readonly targets: readonly Target[];
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly fn: FunctionModel | null;
  /** See {@link Kept}. */
  readonly functionsBefore: number;
}

/** Where bindings get their first value: `V = ` before `position`, or `;V = name;` after it. */
export interface Birth {
  /** Without a name: what is put before gives functions in the value none (see {@link Kept}). */
  readonly where: 'before' | 'before, without a name' | 'after' | 'block';
  readonly bindings: readonly Binding[];
  readonly position: number;
  readonly depth: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** What is assigned to a variable of ours: a function in it must not be named after that. */
export interface Kept extends Span {
  /** How many functions were met before it: whether there is one in it is known only later. */
  readonly functionsBefore: number;
}

export interface Suspension extends Kept {
  /** 0 for a bare `yield`. */
  readonly argument: Node;
  readonly isYield: boolean;
  /** `yield*` */
  readonly isDelegate: boolean;
}

export interface Result extends Kept {
  /** 0 for a bare `return`. */
  readonly argument: Node;
}

export interface FunctionModel {
  readonly node: Node;
  /** The function around this one in the source. */
  readonly outer: FunctionModel | null;
  /** How many functions are around it: names what is injected, so that those inside each other differ. */
  readonly level: number;
  readonly depth: number;
  readonly body: Node;
  readonly name: string;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** A derived class's constructor: no `this` before `super()`. */
  readonly isDerived: boolean;
  /** An arrow that is a class field's value: its `this` is the instance. */
  readonly isField: boolean;
  /** How many functions were met before its body. */
  functionsBefore: number;
  /** What is put into all functions that have as many around them. */
  readonly injected: LevelTexts;
  readonly parameters: string[];
  /** The number of the first mirror that a function inside of it may have. */
  nextMirror: number;
  /** All of its own, block scopes included, as they are met. */
  readonly bindings: Binding[];
  readonly suspensions: Suspension[];
  readonly results: Result[];
  /** Starts of the `catch` and `finally` blocks. */
  readonly recoveries: Span[];
  readonly superCalls: (Span & { readonly isStatement: boolean })[];
  /** `for await` loops: what is to come after them. */
  readonly asyncLoops: (Kept & { readonly right: Node; readonly inList: boolean })[];
  /** `await using` declarations. */
  readonly disposals: Span[];
  /** Names declared by `function` at the top of the body. */
  readonly hoisted: Binding[];
  usesThis: boolean;
  usesArguments: boolean;
  /** Direct `eval`: its code may change bindings unseen. */
  hasEval: boolean;
  /** Why it is left as it is. */
  skipped: string | null;
}
