import type { StateMachine } from '../compiled/state-machine.ts';
import type { LevelTexts } from '../emit/injected-names.ts';
import type { Node } from '../parsers/tree.ts';

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
  /** True if this scope has an `await using`. */
  disposes: boolean;
  /** The innermost statement of a list around this scope: after it the scope's bindings are out of reach. */
  readonly around: ListStatement | null;
  /** The innermost loop body around this scope, and so all: at the start of each turn its bindings are not there yet. */
  readonly loop: LoopBody | null;
}

export interface ListStatement {
  readonly end: number;
  readonly depth: number;
  /** The frame variable of its function. */
  readonly frame: string;
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
  /** `x = 1`, `x ??= 1`: the value is kept on its way, so that V8 prints the expression by the name of `x` */
  | 'value'
  /** `x += 1`, and `x = () => 1`, which gets its name from `x` */
  | 'assignment'
  /** `++x` */
  | 'prefix'
  /** `x++` */
  | 'postfix'
  /** `[x, y] = z` */
  | 'pattern'
  /** One of these whose result nobody uses */
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

/** An expression that is assigned to a variable of ours, which must not name a function in it. */
export interface Kept extends Span {
  /** The number of functions before it: a function inside is known only later. */
  readonly functionsBefore: number;
}

export interface Suspension extends Kept {
  /** 0 for a bare `yield`. */
  readonly argument: Node;
  readonly isYield: boolean;
  /** The awaited expression where a helper receives it first: `x` of `yield __await(x)`; else 0. */
  readonly awaits: Node;
  /** `yield*` */
  readonly isDelegate: boolean;
  /** For a `yield*`: how often V8 prints `(intermediate value)`. */
  readonly printed: number;
  /** A `for` goes over its value. */
  readonly isSubject: boolean;
}

/** A `for await` loop: what is to come after it. */
export interface AsyncLoop extends Kept {
  readonly right: Node;
  readonly inList: boolean;
}

export interface Result extends Kept {
  /** 0 for a bare `return`. */
  readonly argument: Node;
}

export interface CompiledFunction {
  readonly isGenerator: boolean;
  /** The compiler's function in the author's place, where it is one around the body: it has the parameters. */
  readonly around: FunctionModel | null;
  /** The node in place of the author's function. */
  readonly author: Node;
}

export interface FunctionModel {
  readonly node: Node;
  /** The function around this one in the source. */
  readonly outer: FunctionModel | null;
  /** The number of functions around it. Injected names include it, so that nested functions differ. */
  readonly level: number;
  readonly depth: number;
  readonly body: Node;
  readonly name: string;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** A derived class's constructor: no `this` before `super()`. */
  readonly isDerived: boolean;
  /** Called where it stands, as in `(function () {})()`, or by a method of it. */
  readonly isCalled: boolean;
  /** An arrow that is a class field's value: its `this` is the instance. */
  readonly isField: boolean;
  /** The number of functions before its body. */
  functionsBefore: number;
  /** The injected texts of all functions at this level. */
  readonly injected: LevelTexts;
  readonly parameters: string[];
  /** The number of the first mirror that a function inside of it may have. */
  nextMirror: number;
  /** All of its own, block scopes included, as they are met. */
  readonly bindings: Binding[];
  /** The bindings besides its parameters that its steps show, outermost first; the only ones that may have a mirror. */
  locals: readonly Binding[];
  readonly suspensions: Suspension[];
  readonly results: Result[];
  /** Starts of the `catch` and `finally` blocks. */
  readonly recoveries: Span[];
  readonly superCalls: (Span & { readonly isStatement: boolean })[];
  readonly asyncLoops: AsyncLoop[];
  /** `await using` declarations. */
  readonly disposals: Span[];
  /** Names declared by `function` at the top of the body. */
  readonly hoisted: Binding[];
  usesThis: boolean;
  usesArguments: boolean;
  /** Direct `eval`: its code may change bindings unseen. */
  hasEval: boolean;
  /** Where a compiler took its body from an author's async function: what that was. */
  readonly compiled: CompiledFunction | null;
  /** Where a compiler made a state machine of a generator's body: what this one returns. */
  readonly machine: StateMachine | null;
  /** It calls only this one, in its author's place. */
  forwardsTo: FunctionModel | null;
  /** Why it is left as it is. */
  skipped: string | null;
}
