import { type AstNode, patternNames, text } from './ast.ts';
import { receiverOf } from './function-model.ts';
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
import { blockScope, declare, functionScope } from './scopes.ts';

/** What the walk has found out so far, and where it stands. Once it is through, everything that is to be known of a source. */
export class Analysis {
  readonly functions: FunctionModel[] = [];
  readonly births: Birth[] = [];
  readonly writes: Write[] = [];
  readonly loops: LoopBody[] = [];
  /** Starts of expression statements in lists. */
  readonly statements: number[] = [];

  /** The nodes around the one visited, itself last. */
  readonly path: AstNode[] = [];
  /** The function whose code runs here. */
  fn: FunctionModel | null = null;
  scope: Scope = functionScope(null, null);
  /** Statements of lists, and loop bodies, around here within the function. */
  around: ListStatement[] = [];
  insideLoops: LoopBody[] = [];

  get parent(): AstNode | undefined {
    return this.path.at(-2);
  }

  span(node: AstNode): Span {
    return { start: node.start, end: node.end, depth: this.path.length };
  }

  inScope(visit: () => void, scope = blockScope(this.scope, [...this.around], [...this.insideLoops])): void {
    const before = this.scope;
    this.scope = scope;
    visit();
    this.scope = before;
  }

  /** Visits what belongs to a function in its scope: statements and loops outside of it do not count inside. */
  inFunction(scope: Scope, visit: () => void): void {
    const { around, insideLoops, fn } = this;
    this.around = [];
    this.insideLoops = [];
    this.inScope(visit, scope);
    this.around = around;
    this.insideLoops = insideLoops;
    this.fn = fn;
  }

  declare(identifier: AstNode, kind: BindingKind): Target {
    return { name: declare(this.scope, identifier, kind), scope: this.scope };
  }

  declarePattern(pattern: AstNode, kind: BindingKind): Target[] {
    return patternNames(pattern).map((name) => this.declare(name, kind));
  }

  targets(names: readonly AstNode[]): Target[] {
    return names.map((name) => ({ name: text(name, 'name') ?? '', scope: this.scope }));
  }

  birth(where: Birth['where'], targets: readonly Target[], position: number): void {
    this.births.push({ where, targets, position, depth: this.path.length });
  }

  write(form: WriteForm, names: readonly AstNode[], node: AstNode): void {
    if (names.length === 0) return;
    this.writes.push({ form, targets: this.targets(names), fn: this.fn, ...this.span(node) });
  }

  /** A `catch` or `finally` block, where control may come back to after a suspension. */
  recovery(block: AstNode | null): void {
    if (block !== null) this.fn?.recoveries.push(this.span(block));
  }

  usesThis(): void {
    const receiver = receiverOf(this.fn);
    if (receiver !== null) receiver.usesThis = true;
  }

  /** A function declared in a list has its value when the list begins. */
  hoist(target: Target): void {
    const holder = this.parent;
    if (holder?.type !== 'BlockStatement' || this.scope.owner === null) return;
    if (this.scope.isFunction) this.scope.owner.hoisted.push(target);
    else this.birth('block', [target], holder.start + 1);
  }

  /** Something here makes the functions around impossible to instrument. */
  skipAround(reason: string): void {
    for (let fn = this.fn; fn !== null; fn = fn.outer) fn.skipped ??= reason;
  }
}
