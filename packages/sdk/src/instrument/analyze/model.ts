import type { StateMachine } from '../compiled/state-machine.ts';
import type { LevelTexts } from '../emit/injected-names.ts';
import type { PrintedAfterYield } from '../names/printed-text.ts';
import type { Node } from '../parsers/tree.ts';

export type BindingKind = 'parameter' | 'var' | 'let' | 'const' | 'function' | 'class' | 'catch' | 'outside';

export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly start: number;
  readonly scope: Scope;
  /**
   * The injected variable that mirrors the value of a block-scoped binding, because a `catch` around the body cannot read the binding
   * itself.
   */
  mirror: string | null;
}

export interface Scope {
  readonly parent: Scope | null;
  /** The function that the scope's bindings belong to. Null outside of functions, and for scopes whose values no step shows. */
  owner: FunctionModel | null;
  readonly isFunction: boolean;
  /** Null while the scope declares nothing; most scopes have no bindings. */
  bindings: Map<string, Binding> | null;
  /** True if this scope has an `await using`. */
  disposes: boolean;
  /**
   * The innermost statement around the scope that is an item of a statement list, such as a block's list. After this statement, the scope's
   * bindings are unreachable.
   */
  readonly around: ListStatement | null;
  /**
   * The innermost loop body around the scope; its `outer` is the next outer loop body. The scope's bindings do not exist yet when an
   * iteration of any of these loops begins.
   */
  readonly loop: LoopBody | null;
}

export interface ListStatement {
  readonly end: number;
  readonly depth: number;
  /** Name of the injected variable with the `ActiveStep` of the function around the statement. */
  readonly frame: string;
}

export interface LoopBody {
  readonly outer: LoopBody | null;
  readonly node: Node;
  readonly depth: number;
  /** Names in the loop's head that already have a value when an iteration begins. */
  readonly ready: Target[];
  readonly awaits: FunctionModel | null;
}

/** A name that code assigns to; its binding is looked up when all scopes are known. */
export interface Target {
  readonly name: string;
  readonly scope: Scope;
}

export type WriteForm =
  /**
   * `x = 1`, `x ??= 1`: the mirror's assignment is inserted inside, as in `x = mirror = 1`, so V8's messages still print the expression as
   * `x`
   */
  | 'value'
  /** `x += 1`, and `x = () => 1`, where the function must still get its name from `x` */
  | 'assignment'
  /** `++x` */
  | 'prefix'
  /** `x++` */
  | 'postfix'
  /** `[x, y] = z` */
  | 'pattern'
  /** Any of the forms above, if nothing uses the value of the expression */
  | 'statement';

export interface Write {
  readonly form: WriteForm;
  readonly targets: readonly Target[];
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly fn: FunctionModel | null;
  /** Has the same meaning as in {@link StoredExpression}. */
  readonly functionsBefore: number;
}

/**
 * A position where bindings get their first value. The assignment to the mirror `V` is inserted there: `V = ` before a value, or `;V =
 * name;` after a declaration.
 */
export interface FirstAssignment {
  /** `without a name`: the inserted text must not name functions in the value (see {@link StoredExpression}). */
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

/**
 * An expression whose value is also assigned to an injected variable. A function in the expression must not get the name of that variable.
 */
export interface StoredExpression extends Span {
  /**
   * The number of functions that the walk found before the expression. It is also the index of the first function found inside the
   * expression, if there is one.
   */
  readonly functionsBefore: number;
}

export interface Suspension extends StoredExpression {
  /** The operand; 0 for a bare `yield`. */
  readonly argument: Node;
  readonly isYield: boolean;
  /** The awaited expression if a compiler passes the expression to a helper: `x` in `yield __await(x)`; otherwise 0. */
  readonly awaits: Node;
  /** `yield*` */
  readonly isDelegate: boolean;
  /** The text that V8's error message prints after `yield* `; null for other operators. */
  readonly printed: PrintedAfterYield | null;
  /** True if a `for` loop or an array pattern iterates over the value, so that V8's error message prints the expression. */
  readonly isSubject: boolean;
}

/** A `for await` loop, including its labels. */
export interface AsyncLoop extends StoredExpression {
  readonly right: Node;
  readonly inList: boolean;
}

export interface Result extends StoredExpression {
  /** The returned expression; 0 for a bare `return`. */
  readonly argument: Node;
}

export interface CompiledFunction {
  readonly isGenerator: boolean;
  /**
   * The function that the compiler wrote in place of the author's function, around the author's body. Null if the compiler wrote a call or
   * a forwarder (see `forwardsTo`) there.
   */
  readonly around: FunctionModel | null;
  /**
   * The node whose position is looked up in the source map: the function or call that the compiler wrote in place of the author's function.
   * If the compiler wrote a forwarder there, the function that contains the author's body.
   */
  readonly author: Node;
}

export interface FunctionModel {
  readonly node: Node;
  /** The function around this one in the source. */
  readonly outer: FunctionModel | null;
  /** The number of functions around this one. Injected names contain this number, so that nested functions use different names. */
  readonly level: number;
  readonly depth: number;
  readonly body: Node;
  readonly name: string;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** True for a derived class's constructor, which has no `this` before `super()`. */
  readonly isDerived: boolean;
  /** True if the function is called where it is written: `(function () {})()`, or by a method of the function, such as `.call()`. */
  readonly isCalled: boolean;
  /** True for an arrow function that is the value of a class field. Its `this` is the instance, or the class if the field is static. */
  readonly isField: boolean;
  /** The number of functions that the walk found before this function's body. */
  functionsBefore: number;
  /** Names and text to inject, shared by all functions at this nesting level. */
  readonly injected: LevelTexts;
  readonly parameters: string[];
  /** The number of the first mirror variable that nested functions can use. */
  nextMirror: number;
  /** The function's own bindings, including those of its blocks, in the order in which they are found. */
  readonly bindings: Binding[];
  /** The bindings that the function's steps show, without parameters, outermost first. Only these bindings may have a mirror. */
  locals: readonly Binding[];
  readonly suspensions: Suspension[];
  readonly results: Result[];
  /** The function's `catch` and `finally` blocks. */
  readonly recoveries: Span[];
  readonly superCalls: (Span & { readonly isStatement: boolean })[];
  readonly asyncLoops: AsyncLoop[];
  /** The function's `await using` declarations. */
  readonly disposals: Span[];
  /** Functions that are declared at the top level of the body. */
  readonly hoisted: Binding[];
  usesThis: boolean;
  usesArguments: boolean;
  /**
   * True if the function, or a function inside it, calls `eval` directly: the evaluated code can change bindings without updating their
   * mirrors.
   */
  hasEval: boolean;
  /** The author's async function, if a compiler moved its body into this function; otherwise null. */
  readonly compiled: CompiledFunction | null;
  /** The state machine that this function returns, if a compiler made one from a generator's body; otherwise null. */
  readonly machine: StateMachine | null;
  /**
   * The function with the author's body, if this function is a compiler's forwarder, which only calls that function; otherwise null.
   */
  forwardsTo: FunctionModel | null;
  /** Why the function is not instrumented; null if the function is instrumented. */
  skipped: string | null;
}

/** Finds the function that determines `this` in `fn`, skipping arrow functions except those of class fields. */
export function findReceiver(fn: FunctionModel | null): FunctionModel | null {
  let receiver = fn;
  while (receiver?.isArrow && !receiver.isField) receiver = receiver.outer;
  return receiver;
}

/** Finds the function that determines `arguments` in `fn`, skipping arrow functions. */
export function findArgumentsOwner(fn: FunctionModel | null): FunctionModel | null {
  let owner = fn;
  while (owner?.isArrow) owner = owner.outer;
  return owner;
}
