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
  /** The function that the scope's bindings belong to; null outside of functions, and for scopes whose values no step shows. */
  owner: FunctionModel | null;
  readonly isFunction: boolean;
  /** Null while the scope declares nothing, as most scopes do. */
  bindings: Map<string, Binding> | null;
  /** True if this scope has an `await using`. */
  disposes: boolean;
  /** The innermost list statement around the scope. After that statement, the scope's bindings are unreachable. */
  readonly around: ListStatement | null;
  /**
   * The innermost loop body around the scope; `outer` leads to the others. The scope's bindings do not exist yet when an
   * iteration of any of these loops begins.
   */
  readonly loop: LoopBody | null;
}

export interface ListStatement {
  readonly end: number;
  readonly depth: number;
  /** Name of the frame variable of the function that contains the statement. */
  readonly frame: string;
}

export interface LoopBody {
  readonly outer: LoopBody | null;
  readonly node: Node;
  readonly depth: number;
  /** Names that already have a value when the body begins. */
  readonly ready: Target[];
  readonly awaits: FunctionModel | null;
}

/** A name that code assigns to; its binding is looked up when all scopes are known. */
export interface Target {
  readonly name: string;
  readonly scope: Scope;
}

export type WriteForm =
  /** `x = 1`, `x ??= 1`: the mirror is assigned inside, as in `x = mirror = 1`, so V8's messages still print the expression as `x` */
  | 'value'
  /** `x += 1`, and `x = () => 1`, where the function gets its name from `x` */
  | 'assignment'
  /** `++x` */
  | 'prefix'
  /** `x++` */
  | 'postfix'
  /** `[x, y] = z` */
  | 'pattern'
  /** Any of these forms if the result is unused */
  | 'statement';

export interface Write {
  readonly form: WriteForm;
  readonly targets: readonly Target[];
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly fn: FunctionModel | null;
  /** As in {@link Kept}. */
  readonly functionsBefore: number;
}

/** A position where bindings get their first value: `V = ` is inserted before the position, or `;V = name;` after it. */
export interface Birth {
  /** `without a name`: the inserted text must not name functions in the value (see {@link Kept}). */
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

/** An expression that is assigned to an injected variable, which must not give its name to a function in the expression. */
export interface Kept extends Span {
  /** The number of functions found before the expression. Functions in the expression are found only later. */
  readonly functionsBefore: number;
}

export interface Suspension extends Kept {
  /** 0 for a bare `yield`. */
  readonly argument: Node;
  readonly isYield: boolean;
  /** The awaited expression if a compiler's helper receives it first: `x` in `yield __await(x)`; otherwise 0. */
  readonly awaits: Node;
  /** `yield*` */
  readonly isDelegate: boolean;
  /** For a `yield*`: how often V8's error message prints `(intermediate value)`. */
  readonly printed: number;
  /** True if a `for` loop or an array pattern iterates over the value, and V8 prints the expression. */
  readonly isSubject: boolean;
}

/** A `for await` loop, including its labels. */
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
  /** The compiler's function in place of the author's, if it contains the body. That function has the author's parameters. */
  readonly around: FunctionModel | null;
  /** The node that a compiler put in place of the author's function. */
  readonly author: Node;
}

export interface FunctionModel {
  readonly node: Node;
  /** The function around this one in the source. */
  readonly outer: FunctionModel | null;
  /** The number of functions around this one. Injected names include it, so nested functions use different names. */
  readonly level: number;
  readonly depth: number;
  readonly body: Node;
  readonly name: string;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** True for a derived class's constructor, which has no `this` before `super()`. */
  readonly isDerived: boolean;
  /** True if the function is called on the spot, as in `(function () {})()`, or by one of its methods, such as `.call()`. */
  readonly isCalled: boolean;
  /** True for an arrow function that is a class field's value; its `this` is the instance. */
  readonly isField: boolean;
  /** The number of functions found before this function's body. */
  functionsBefore: number;
  /** Names and text to inject, shared by all functions at this level. */
  readonly injected: LevelTexts;
  readonly parameters: string[];
  /** The number of the first mirror that nested functions may use. */
  nextMirror: number;
  /** The function's own bindings, including those of its blocks, in the order in which they are found. */
  readonly bindings: Binding[];
  /** The bindings, without parameters, that the function's steps show, outermost first. Only these may have a mirror. */
  locals: readonly Binding[];
  readonly suspensions: Suspension[];
  readonly results: Result[];
  /** The `catch` and `finally` blocks. */
  readonly recoveries: Span[];
  readonly superCalls: (Span & { readonly isStatement: boolean })[];
  readonly asyncLoops: AsyncLoop[];
  /** `await using` declarations. */
  readonly disposals: Span[];
  /** Functions that are declared at the top level of the body. */
  readonly hoisted: Binding[];
  usesThis: boolean;
  usesArguments: boolean;
  /** True if the function calls `eval` directly: the evaluated code may change bindings unnoticed. */
  hasEval: boolean;
  /** Set if a compiler moved the body of an author's async function into this function: describes the author's function. */
  readonly compiled: CompiledFunction | null;
  /** Set if a compiler turned a generator's body into a state machine: this function returns that state machine. */
  readonly machine: StateMachine | null;
  /** Set for a compiler's forwarder: the function with the author's body, which is all that the forwarder calls. */
  forwardsTo: FunctionModel | null;
  /** Why the function is not instrumented; null if it is. */
  skipped: string | null;
}

/** Finds the function that `this` in `fn` belongs to, skipping arrow functions except class fields. */
export function findReceiver(fn: FunctionModel | null): FunctionModel | null {
  let receiver = fn;
  while (receiver?.isArrow && !receiver.isField) receiver = receiver.outer;
  return receiver;
}

/** Finds the function that `arguments` in `fn` belongs to, skipping arrow functions. */
export function findArgumentsOwner(fn: FunctionModel | null): FunctionModel | null {
  let owner = fn;
  while (owner?.isArrow) owner = owner.outer;
  return owner;
}
