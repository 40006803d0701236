import { callsHelpers } from '../compiled/emitted-names.ts';
import type { InjectedNames } from '../emit/injected-names.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import type {
  Binding,
  BindingKind,
  FirstAssignment,
  FunctionModel,
  ListStatement,
  LoopBody,
  Scope,
  Span,
  Target,
  Write,
  WriteForm,
} from './model.ts';
import { findReceiver } from './model.ts';
import { listPatternNames } from './patterns.ts';
import { blockScope, buildFunctionScope, declare, isFollowed } from './scopes.ts';

type Surroundings = Pick<Analysis, 'around' | 'insideLoop' | 'fn' | 'scope'>;

/** The state of the walk over a source. After the walk, it contains all facts found about the source. */
export class Analysis {
  readonly tree: Tree;
  readonly functions: FunctionModel[] = [];
  readonly births: FirstAssignment[] = [];
  readonly writes: Write[] = [];
  readonly loops: LoopBody[] = [];
  /** Start offsets of expression statements in functions. A parenthesis inserted there could call the preceding expression. */
  readonly statements: number[] = [];
  readonly importMetas: Node[] = [];
  /**
   * For each forwarder, by its start offset: the function with the author's body. A forwarder is a function that a compiler made and that
   * only calls another function.
   */
  readonly forwarders = new Map<number, FunctionModel>();
  /** True if a compiler added functions or variables to the source. */
  isCompiled: boolean;
  /** True if getters and setters are traced too. */
  readonly withAccessors: boolean;

  /** The ancestors of the visited node, outermost first, and the node itself. */
  readonly path: Node[] = [];
  /** The innermost function around the visited node; null at the top level. */
  fn: FunctionModel | null = null;
  scope: Scope = buildFunctionScope(null, null);
  /**
   * The innermost item of a statement list, and the innermost loop body, that contain the visited node. Both are inside the function `fn`.
   */
  around: ListStatement | null = null;
  insideLoop: LoopBody | null = null;

  readonly names: InjectedNames;

  constructor(tree: Tree, names: InjectedNames, withAccessors: boolean) {
    this.tree = tree;
    this.names = names;
    this.isCompiled = callsHelpers(tree.source);
    this.withAccessors = withAccessors;
  }

  get parent(): Node {
    return this.path[this.path.length - 2] ?? 0;
  }

  /** Returns the visited statement including its labels, the statement's parent, and its depth in the tree. */
  withLabels(): { readonly statement: Node; readonly holder: Node; readonly depth: number } {
    const { path, tree } = this;
    let depth = path.length;
    while (tree.kind(path[depth - 2] ?? 0) === kind.LabeledStatement) depth--;
    return { statement: path[depth - 1] ?? 0, holder: path[depth - 2] ?? 0, depth };
  }

  /** True if a node that ends at `end` contains a function; `before` is the number of functions found before the node. */
  holdsFunction(before: number, end: number): boolean {
    const next = this.functions[before];
    return next !== undefined && this.tree.start(next.node) < end;
  }

  span(node: Node): Span {
    return { start: this.tree.start(node), end: this.tree.end(node), depth: this.path.length };
  }

  enterBlock(): Scope {
    const before = this.scope;
    this.scope = blockScope(before, this.around, this.insideLoop);
    return before;
  }

  /**
   * Enters a function. Resets `around` and `insideLoop`, because they describe only positions within one function. Returns the state that
   * `leaveFunction` restores.
   */
  enterFunction(scope: Scope): Surroundings {
    const before = { around: this.around, insideLoop: this.insideLoop, fn: this.fn, scope: this.scope };
    this.around = null;
    this.insideLoop = null;
    this.scope = scope;
    return before;
  }

  leaveFunction({ around, insideLoop, fn, scope }: Surroundings): void {
    this.around = around;
    this.insideLoop = insideLoop;
    this.fn = fn;
    this.scope = scope;
  }

  declare(identifier: Node, bindingKind: BindingKind): Binding {
    return declare(this.scope, this.tree.name(identifier), this.tree.start(identifier), bindingKind);
  }

  declarePattern(pattern: Node, bindingKind: BindingKind): Binding[] {
    if (this.tree.kind(pattern) === kind.Identifier) return [this.declare(pattern, bindingKind)];
    return listPatternNames(this.tree, pattern).map((name) => this.declare(name, bindingKind));
  }

  targets(names: readonly Node[]): Target[] {
    return names.map((name) => ({ name: this.tree.name(name), scope: this.scope }));
  }

  birth(where: FirstAssignment['where'], bindings: readonly Binding[], position: number): void {
    const [first] = bindings;
    // All bindings in `bindings` have the same kind and scope, so only the first one is checked. No step shows the values of a scope
    // without an owner.
    if (first === undefined || !isFollowed(first) || first.scope.owner === null) return;
    this.births.push({ where, bindings, position, depth: this.path.length });
  }

  write(form: WriteForm, names: readonly Node[], node: Node): void {
    if (names.length === 0) return;
    const { tree, fn, path, functions } = this;
    this.writes.push({
      form,
      targets: this.targets(names),
      fn,
      start: tree.start(node),
      end: tree.end(node),
      depth: path.length,
      functionsBefore: functions.length,
    });
  }

  /** Adds a `catch` or `finally` block: if a promise rejects during a suspension, execution resumes in such a block. */
  recovery(block: Node): void {
    if (block !== 0) this.fn?.recoveries.push(this.span(block));
  }

  usesThis(): void {
    const receiver = findReceiver(this.fn);
    if (receiver === null) return;
    // In a state machine, `this` belongs to the author's function around the machine.
    const { outer } = receiver;
    if (outer?.machine?.states === receiver.node) outer.usesThis = true;
    else if (receiver.machine === null) receiver.usesThis = true;
  }

  /** Adds a function declaration: the function is defined from the beginning of the surrounding block. */
  hoist(binding: Binding): void {
    const { holder } = this.withLabels();
    if (this.tree.kind(holder) !== kind.BlockStatement || this.scope.owner === null) return;
    if (this.scope.isFunction) this.scope.owner.hoisted.push(binding);
    else this.birth('block', [binding], this.tree.start(holder) + 1);
  }

  /**
   * Adds an `await using`: the function awaits at the end of the block. The inserted code must not change the number of awaits. With
   * several `await using` in a block, the number could change: for a resource that is null, JavaScript awaits only if it awaited no other
   * resource. So functions with several in a block, or with an `await using` in the head of a loop, are not instrumented.
   */
  disposal(declaration: Node): void {
    const { tree, fn, scope, path } = this;
    const isOnly =
      scope.disposes === false && tree.list(declaration, slot.declaration.declarations).length === 1;
    const inBlock = path[path.length - 1] === declaration && tree.kind(this.parent) === kind.BlockStatement;
    scope.disposes = true;
    if (!isOnly || !inBlock)
      this.skipAround('it contains several `await using` in one block, or one in a loop’s head');
    else if (fn !== null) fn.disposals.push(this.span(declaration));
  }

  /** Excludes all functions around the visited node from instrumentation, for the given reason. */
  skipAround(reason: string): void {
    for (let fn = this.fn; fn !== null; fn = fn.outer) fn.skipped ??= reason;
  }
}
