import { receiverOf } from './function-model.ts';
import { kind } from './layout.ts';
import type {
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
import { blockScope, declare, functionScope } from './scopes.ts';
import type { Node, Tree } from './tree.ts';

/** What the walk has found out so far, and where it stands. Once it is through, everything that is to be known of a source. */
export class Analysis {
  readonly tree: Tree;
  readonly functions: FunctionModel[] = [];
  readonly births: Birth[] = [];
  readonly writes: Write[] = [];
  readonly loops: LoopBody[] = [];
  /** Starts of expression statements in lists. */
  readonly statements: number[] = [];
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

  constructor(tree: Tree, withAccessors: boolean) {
    this.tree = tree;
    this.withAccessors = withAccessors;
  }

  /** The node around the one visited. */
  get parent(): Node {
    return this.path.at(-2) ?? 0;
  }

  span(node: Node): Span {
    return { start: this.tree.start(node), end: this.tree.end(node), depth: this.path.length };
  }

  enterBlock(): Scope {
    const before = this.scope;
    this.scope = blockScope(before, this.around, this.insideLoop);
    return before;
  }

  /** Visits what belongs to a function in its scope: statements and loops outside of it do not count inside. */
  inFunction(scope: Scope, visit: () => void): void {
    const { around, insideLoop, fn, scope: before } = this;
    this.around = null;
    this.insideLoop = null;
    this.scope = scope;
    visit();
    this.scope = before;
    this.around = around;
    this.insideLoop = insideLoop;
    this.fn = fn;
  }

  declare(identifier: Node, bindingKind: BindingKind): Target {
    const name = this.tree.name(identifier);
    declare(this.scope, name, this.tree.start(identifier), bindingKind);
    return { name, scope: this.scope };
  }

  declarePattern(pattern: Node, bindingKind: BindingKind): Target[] {
    return patternNames(this.tree, pattern).map((name) => this.declare(name, bindingKind));
  }

  targets(names: readonly Node[]): Target[] {
    return names.map((name) => ({ name: this.tree.name(name), scope: this.scope }));
  }

  birth(where: Birth['where'], targets: readonly Target[], position: number): void {
    // Of what no function owns, nobody takes values.
    if (this.scope.owner !== null) this.births.push({ where, targets, position, depth: this.path.length });
  }

  write(form: WriteForm, names: readonly Node[], node: Node): void {
    if (names.length === 0) return;
    this.writes.push({ form, targets: this.targets(names), fn: this.fn, ...this.span(node) });
  }

  /** A `catch` or `finally` block, where control may come back to after a suspension. */
  recovery(block: Node): void {
    if (block !== 0) this.fn?.recoveries.push(this.span(block));
  }

  usesThis(): void {
    const receiver = receiverOf(this.fn);
    if (receiver !== null) receiver.usesThis = true;
  }

  /** A function declared in a list has its value when the list begins. */
  hoist(target: Target): void {
    const holder = this.parent;
    if (this.tree.kind(holder) !== kind.BlockStatement || this.scope.owner === null) return;
    if (this.scope.isFunction) this.scope.owner.hoisted.push(target);
    else this.birth('block', [target], this.tree.start(holder) + 1);
  }

  /** Something here makes the functions around impossible to instrument. */
  skipAround(reason: string): void {
    for (let fn = this.fn; fn !== null; fn = fn.outer) fn.skipped ??= reason;
  }
}
