import type { InjectedNames } from '../emit/injected-names.ts';
import { childPlaces, flag, kind, slot, words } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { Analysis } from './analysis.ts';
import type { Deadline } from './deadline.ts';
import { buildFunctionModel } from './function-model.ts';
import type { Binding, BindingKind, LoopBody, Target } from './model.ts';
import { notes } from './note-node.ts';
import { isComputed, listPatternNames, needsParentheses } from './patterns.ts';
import { buildFunctionScope, declare } from './scopes.ts';

/** Walks a program once and collects all facts that are needed before text is inserted. */
export function analyze(
  tree: Tree,
  names: InjectedNames,
  deadline: Deadline,
  withAccessors: boolean,
): Analysis {
  const walk = new Walk(new Analysis(tree, names, withAccessors), deadline);
  walk.visit(0);
  return walk.found;
}

const argumentsLength = 'arguments'.length;

class Walk {
  readonly found: Analysis;
  private readonly tree: Tree;
  private readonly deadline: Deadline;
  /** Names bound in the head of the visited `for`. Their mirrors (see {@link Binding}) can be assigned only in the loop's body. */
  private readonly headTargets: Target[] = [];
  private insideWith = false;

  constructor(found: Analysis, deadline: Deadline) {
    this.found = found;
    this.tree = found.tree;
    this.deadline = deadline;
  }

  visit(node: Node): void {
    const { found } = this;
    const { path } = found;
    const nodeKind = this.tree.kind(node);
    const visitor = visitors[nodeKind];
    path.push(node);
    if (visitor !== undefined) visitor(this, node);
    else {
      const note = notes[nodeKind];
      if (note !== undefined) note(found, node);
      this.visitPlaces(node, childPlaces[nodeKind] ?? []);
    }
    path.pop();
  }

  visitPlaces(node: Node, places: readonly number[]): void {
    const all = this.tree.words;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0;
      if (place > 0) {
        const inner = all[node + place] ?? 0;
        if (inner !== 0 && !this.isDull(inner)) this.visit(inner);
        continue;
      }
      const count = this.tree.count(node, -place);
      for (let item = 0; item < count; item++) {
        const inner = this.tree.item(node, -place, item);
        if (inner !== 0 && !this.isDull(inner)) this.visit(inner);
      }
    }
  }

  /**
   * True for nodes that need no visit: literals, and identifiers that are longer or shorter than `arguments`. These are half of all nodes.
   */
  private isDull(node: Node): boolean {
    const all = this.tree.words;
    const nodeKind = all[node] ?? 0;
    if (nodeKind === kind.Identifier) return (all[node + 2] ?? 0) - (all[node + 1] ?? 0) !== argumentsLength;
    return nodeKind >= kind.Literal && nodeKind <= kind.StringLiteral;
  }

  visitChild(node: Node, place: number): void {
    const inner = this.tree.child(node, place);
    if (inner !== 0 && !this.isDull(inner)) this.visit(inner);
  }

  visitChildren(node: Node): void {
    this.visitPlaces(node, childPlaces[this.tree.kind(node)] ?? []);
  }

  visitBlock(node: Node, place: number): void {
    const { found } = this;
    const before = found.enterBlock();
    this.visitList(node, place);
    found.scope = before;
  }

  visitList(holder: Node, place: number): void {
    const { found, tree } = this;
    const outer = found.around;
    const count = tree.count(holder, place);
    for (let index = 0; index < count; index++) {
      const statement = tree.item(holder, place, index);
      if (statement === 0) continue;
      if (found.fn === null) {
        this.visit(statement);
        continue;
      }
      if (tree.kind(statement) === kind.ExpressionStatement) found.statements.push(tree.start(statement));
      const { frame } = found.fn.injected;
      found.around = { end: tree.end(statement), depth: found.path.length + 1, frame };
      this.visit(statement);
    }
    found.around = outer;
  }

  /** Visits a class's static block, whose variables belong to no function. */
  visitStaticBlock(node: Node): void {
    const before = this.found.enterFunction(buildFunctionScope(this.found.scope, null));
    this.visitList(node, slot.first);
    this.found.leaveFunction(before);
  }

  private loopBody(node: Node, place: number, isAsync = false): LoopBody {
    const { path, fn, insideLoop } = this.found;
    const awaits = isAsync ? fn : null;
    return {
      outer: insideLoop,
      node: this.tree.child(node, place),
      depth: path.length,
      ready: [],
      awaits,
    };
  }

  private visitLoopBody(body: LoopBody): void {
    const { found, tree } = this;
    // A loop body that begins with `let [` is a syntax error, which the parser does not report. The injected braces around the body would
    // make the code valid.
    if (tree.source.startsWith('let', tree.start(body.node)) && /^let\s*\[/.test(tree.text(body.node)))
      throw new SyntaxError('a declaration is the body of a loop');
    if (found.fn !== null) found.loops.push(body);
    found.insideLoop = body;
    this.visit(body.node);
    found.insideLoop = body.outer;
  }

  visitFor(node: Node): void {
    const { found } = this;
    const before = found.enterBlock();
    const body = this.loopBody(node, slot.for.body);
    this.visitChild(node, slot.for.init);
    body.ready.push(...this.headTargets.splice(0));
    this.visitChild(node, slot.for.test);
    this.visitChild(node, slot.for.update);
    this.visitLoopBody(body);
    found.scope = before;
  }

  visitForEach(node: Node, places: typeof slot.forIn | typeof slot.forOf, isAsync: boolean): void {
    const { found, tree } = this;
    const before = found.enterBlock();
    const body = this.loopBody(node, places.body, isAsync);
    const left = tree.child(node, places.left);
    const right = tree.child(node, places.right);
    if (tree.kind(left) === kind.VariableDeclaration) {
      if (tree.child(left, slot.declaration.kind) === words['await using']) found.disposal(left);
      for (const declarator of tree.list(left, slot.declaration.declarations)) {
        const pattern = tree.child(declarator, slot.declarator.id);
        body.ready.push(...found.declarePattern(pattern, readVariableKind(tree, left)));
        this.visit(declarator);
      }
    } else {
      body.ready.push(...found.targets(listPatternNames(tree, left)));
      this.visit(left);
    }
    const functionsBefore = found.functions.length;
    this.visit(right);
    if (isAsync) {
      const { statement, holder, depth } = found.withLabels();
      const inList = tree.kind(holder) === kind.BlockStatement || tree.kind(holder) === kind.SwitchCase;
      const start = tree.start(statement);
      found.fn?.asyncLoops.push({ start, end: tree.end(node), depth, functionsBefore, right, inList });
    }
    this.visitLoopBody(body);
    found.scope = before;
  }

  visitWhile(node: Node, places: typeof slot.while | typeof slot.doWhile): void {
    this.visitChild(node, places.test);
    this.visitLoopBody(this.loopBody(node, places.body));
  }

  visitTry(node: Node): void {
    this.visitChild(node, slot.try.block);
    this.visitChild(node, slot.try.handler);
    this.found.recovery(this.tree.child(node, slot.try.finalizer));
    this.visitChild(node, slot.try.finalizer);
  }

  visitCatch(node: Node): void {
    const { found, tree } = this;
    const before = found.enterBlock();
    const parameter = tree.child(node, slot.catch.param);
    const body = tree.child(node, slot.catch.body);
    if (parameter !== 0) {
      found.birth('block', found.declarePattern(parameter, 'catch'), tree.start(body) + 1);
      this.visit(parameter);
    }
    found.recovery(body);
    this.visit(body);
    found.scope = before;
  }

  visitDeclaration(node: Node): void {
    const { found, tree } = this;
    const bindingKind = readVariableKind(tree, node);
    if (tree.child(node, slot.declaration.kind) === words['await using']) found.disposal(node);
    const inHead = tree.kind(found.parent) === kind.ForStatement;
    const later: Binding[] = [];
    const count = tree.count(node, slot.declaration.declarations);
    for (let index = 0; index < count; index++) {
      const declarator = tree.item(node, slot.declaration.declarations, index);
      const pattern = tree.child(declarator, slot.declarator.id);
      const init = tree.child(declarator, slot.declarator.init);
      const bindings = found.declarePattern(pattern, bindingKind);
      const known = found.functions.length;
      this.visit(declarator);
      if (tree.kind(pattern) === kind.Identifier && init !== 0 && !needsParentheses(tree, init)) {
        const holds = found.functions.length > known;
        found.birth(holds ? 'before, without a name' : 'before', bindings, tree.start(init));
      } else {
        later.push(...bindings);
      }
    }
    if (inHead) this.headTargets.push(...later);
    else if (later.length > 0) found.birth('after', later, tree.end(node));
  }

  visitClass(node: Node): void {
    const { found, tree } = this;
    const id = tree.child(node, slot.class.id);
    if (id !== 0 && tree.kind(node) === kind.ClassDeclaration) {
      found.birth('after', [found.declare(id, 'class')], tree.end(node));
    }
    this.visitChildren(node);
  }

  visitMember(node: Node): void {
    this.visitChild(node, slot.member.object);
    if (this.tree.flag(node, flag.member.computed)) this.visitChild(node, slot.member.property);
  }

  visitProperty(node: Node, places: { readonly key: number; readonly value: number }): void {
    if (isComputed(this.tree, node)) this.visitChild(node, places.key);
    this.visitChild(node, places.value);
  }

  visitWith(node: Node): void {
    this.found.skipAround('it contains a `with` statement');
    const before = this.insideWith;
    this.insideWith = true;
    this.visitChildren(node);
    this.insideWith = before;
  }

  visitFunction(node: Node, places: typeof slot.function | typeof slot.arrow): void {
    this.deadline.check();
    const { found, tree } = this;
    const id = 'id' in places ? tree.child(node, places.id) : 0;
    const isDeclaration = tree.kind(node) === kind.FunctionDeclaration;
    if (isDeclaration && id !== 0) found.hoist(found.declare(id, 'function'));
    const model = buildFunctionModel(found);
    if (this.insideWith) model.skipped ??= 'it is inside a `with` statement';
    found.functions.push(model);
    // The parameters have a scope of their own: they are evaluated before the injected code runs, and cannot see the body's bindings.
    const head = buildFunctionScope(found.scope, null);
    const own = buildFunctionScope(head, model);
    const before = found.enterFunction(head);
    if (!isDeclaration && id !== 0) found.declare(id, 'outside');
    const count = tree.count(node, places.params);
    for (let index = 0; index < count; index++) {
      const parameter = tree.item(node, places.params, index);
      for (const { name, start } of found.declarePattern(parameter, 'parameter')) {
        if (name !== 'this') model.parameters.push(name);
        declare(own, name, start, 'parameter');
      }
      this.visit(parameter);
    }
    found.scope = own;
    found.fn = model;
    model.functionsBefore = found.functions.length;
    const { body } = model;
    if (tree.kind(body) === kind.BlockStatement) {
      found.path.push(body);
      this.visitList(body, slot.first);
      found.path.pop();
    } else this.visit(body);
    // The injected `try` makes the body's functions block-scoped, which conflicts with a `var` of the same name in the evaluated code.
    if (model.hasEval && model.hoisted.length > 0)
      model.skipped ??= 'it declares functions beside a direct `eval`';
    // Inside the injected `try`, a function that replaces a parameter would no longer replace it in `arguments`.
    if (model.usesArguments && model.hoisted.some(({ kind }) => kind === 'parameter'))
      model.skipped ??= 'it declares a parameter as a function, and uses `arguments`';
    found.leaveFunction(before);
  }
}

type Visitor = (walk: Walk, node: Node) => void;

/** Visitors by node kind. For nodes of all other kinds, the children are visited in order. */
const visitors: readonly (Visitor | undefined)[] = listVisitorsByKind();

function listVisitorsByKind(): Visitor[] {
  const byKind: Visitor[] = [];
  const visitFunction: Visitor = (walk, node) => walk.visitFunction(node, slot.function);
  byKind[kind.FunctionDeclaration] = visitFunction;
  byKind[kind.FunctionExpression] = visitFunction;
  byKind[kind.ArrowFunctionExpression] = (walk, node) => walk.visitFunction(node, slot.arrow);
  byKind[kind.Program] = (walk, node) => walk.visitList(node, slot.first);
  byKind[kind.BlockStatement] = (walk, node) => walk.visitBlock(node, slot.first);
  byKind[kind.StaticBlock] = (walk, node) => walk.visitStaticBlock(node);
  byKind[kind.SwitchStatement] = (walk, node) => {
    walk.visitChild(node, slot.switch.discriminant);
    const before = walk.found.enterBlock();
    for (const one of walk.found.tree.list(node, slot.switch.cases)) walk.visit(one);
    walk.found.scope = before;
  };
  byKind[kind.SwitchCase] = (walk, node) => {
    walk.visitChild(node, slot.switchCase.test);
    walk.visitList(node, slot.switchCase.consequent);
  };
  byKind[kind.ForStatement] = (walk, node) => walk.visitFor(node);
  byKind[kind.ForInStatement] = (walk, node) => walk.visitForEach(node, slot.forIn, false);
  byKind[kind.ForOfStatement] = (walk, node) =>
    walk.visitForEach(node, slot.forOf, walk.found.tree.flag(node, flag.forOf.await));
  byKind[kind.WhileStatement] = (walk, node) => walk.visitWhile(node, slot.while);
  byKind[kind.DoWhileStatement] = (walk, node) => walk.visitWhile(node, slot.doWhile);
  byKind[kind.CatchClause] = (walk, node) => walk.visitCatch(node);
  byKind[kind.TryStatement] = (walk, node) => walk.visitTry(node);
  byKind[kind.VariableDeclaration] = (walk, node) => walk.visitDeclaration(node);
  const visitClass: Visitor = (walk, node) => walk.visitClass(node);
  byKind[kind.ClassDeclaration] = visitClass;
  byKind[kind.ClassExpression] = visitClass;
  byKind[kind.WithStatement] = (walk, node) => walk.visitWith(node);
  byKind[kind.MemberExpression] = (walk, node) => walk.visitMember(node);
  byKind[kind.Property] = (walk, node) => walk.visitProperty(node, slot.property);
  const visitMember: Visitor = (walk, node) => {
    for (const decorator of walk.found.tree.list(node, slot.method.decorators)) walk.visit(decorator);
    walk.visitProperty(node, slot.method);
  };
  byKind[kind.MethodDefinition] = visitMember;
  byKind[kind.PropertyDefinition] = visitMember;
  return byKind;
}

function readVariableKind(tree: Tree, declaration: Node): BindingKind {
  const word = tree.child(declaration, slot.declaration.kind);
  return word === words.var ? 'var' : word === words.let ? 'let' : 'const';
}
