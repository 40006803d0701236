import { callsHelpers } from '../compiled/emitted-names.ts';
import type { InjectedNames } from '../emit/injected-names.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { findReceiver } from './function-model.ts';
import type {
  Binding,
  BindingKind,
  Birth,
  FunctionModel,
  ListStatement,
  LoopBody,
  Scope,
  Span,
  Target,
  Write,
  WriteForm,
} from './model.ts';
import { patternNames } from './patterns.ts';
import { blockScope, declare, functionScope, isFollowed } from './scopes.ts';

type Surroundings = Pick<Analysis, 'around' | 'insideLoop' | 'fn' | 'scope'>;

/** The state of the walk over a source; after the walk, all facts about the source. */
export class Analysis {
  readonly tree: Tree;
  readonly functions: FunctionModel[] = [];
  readonly births: Birth[] = [];
  readonly writes: Write[] = [];
  readonly loops: LoopBody[] = [];
  /** Starts of expression statements in lists. */
  readonly statements: number[] = [];
  /** Each `import.meta`. */
  readonly importMetas: Node[] = [];
  /** Functions that call only another one, in its author's place, by where they start. */
  readonly forwarders = new Map<number, FunctionModel>();
  /** True if a compiler added functions or variables of its own. */
  isCompiled: boolean;
  /** An accessor is traced like any function, if that was asked for. */
  readonly withAccessors: boolean;

  /** The nodes around the one visited, itself last. */
  readonly path: Node[] = [];
  /** The function whose code runs here. */
  fn: FunctionModel | null = null;
  scope: Scope = functionScope(null, null);
  /** The innermost statement of a list, and the innermost loop body, around here within the function. */
  around: ListStatement | null = null;
  insideLoop: LoopBody | null = null;

  readonly names: InjectedNames;

  constructor(tree: Tree, names: InjectedNames, withAccessors: boolean) {
    this.tree = tree;
    this.names = names;
    this.isCompiled = callsHelpers(tree.source);
    this.withAccessors = withAccessors;
  }

  /** The node around the one visited. */
  get parent(): Node {
    return this.path[this.path.length - 2] ?? 0;
  }

  /** The statement that is visited, with the labels before it, and the node around all of that. */
  withLabels(): { readonly statement: Node; readonly holder: Node; readonly depth: number } {
    const { path, tree } = this;
    let depth = path.length;
    while (tree.kind(path[depth - 2] ?? 0) === kind.LabeledStatement) depth--;
    return { statement: path[depth - 1] ?? 0, holder: path[depth - 2] ?? 0, depth };
  }

  /** True if a function lies before `end`; `before` is the number of functions at the start of the node that ends there. */
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

  /** Statements and loops outside of a function do not count inside of it. Returns what `leaveFunction` puts back. */
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
    return patternNames(this.tree, pattern).map((name) => this.declare(name, bindingKind));
  }

  targets(names: readonly Node[]): Target[] {
    return names.map((name) => ({ name: this.tree.name(name), scope: this.scope }));
  }

  birth(where: Birth['where'], bindings: readonly Binding[], position: number): void {
    const [first] = bindings;
    // All of them are alike. Of what no function owns, nobody takes values.
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

  /** A `catch` or `finally` block, where control may come back to after a suspension. */
  recovery(block: Node): void {
    if (block !== 0) this.fn?.recoveries.push(this.span(block));
  }

  usesThis(): void {
    const receiver = findReceiver(this.fn);
    if (receiver === null) return;
    // The author's function is the one around a state machine; the machine itself only passes `this` on.
    const { outer } = receiver;
    if (outer?.machine?.states === receiver.node) outer.usesThis = true;
    else if (receiver.machine === null) receiver.usesThis = true;
  }

  /** A function declared in a list has its value when the list begins. */
  hoist(binding: Binding): void {
    const { holder } = this.withLabels();
    if (this.tree.kind(holder) !== kind.BlockStatement || this.scope.owner === null) return;
    if (this.scope.isFunction) this.scope.owner.hoisted.push(binding);
    else this.birth('block', [binding], this.tree.start(holder) + 1);
  }

  /**
   * `await using`: its function is suspended where its block ends. What is put around it must not change how often is waited: only a single one
   * in its block is sure not to, as one that is null waits or not by what is disposed of besides.
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

  /** Something here makes the functions around impossible to instrument. */
  skipAround(reason: string): void {
    for (let fn = this.fn; fn !== null; fn = fn.outer) fn.skipped ??= reason;
  }
}
