import { type AstNode, child, children, eachChild, patternNames, takesName, text, unwrap } from './ast.ts';
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
} from './model.ts';
import { functionName } from './names.ts';
import { reasonToSkip } from './skip.ts';

/** Everything that is to be known of a source before text is put into it. */
export interface Analysis {
  readonly functions: readonly FunctionModel[];
  readonly births: readonly Birth[];
  readonly writes: readonly Write[];
  readonly loops: readonly LoopBody[];
  /** Starts of expression statements in lists. */
  readonly statements: readonly number[];
}

export function analyze(program: AstNode): Analysis {
  const analyzer = new Analyzer();
  analyzer.visit(program);
  return analyzer;
}

class Analyzer implements Analysis {
  readonly functions: FunctionModel[] = [];
  readonly births: Birth[] = [];
  readonly writes: Write[] = [];
  readonly loops: LoopBody[] = [];
  readonly statements: number[] = [];
  /** The nodes around the one visited, itself last. */
  private readonly path: AstNode[] = [];
  /** The function whose code runs here. */
  private fn: FunctionModel | null = null;
  private scope: Scope = newScope(null, null, true, [], []);
  private around: ListStatement[] = [];
  private insideLoops: LoopBody[] = [];
  private insideWith = false;
  /** Of the `for` whose head is visited: what cannot get its mirror there. */
  private readonly headTargets: Target[] = [];

  visit(node: AstNode | null): void {
    if (node === null) return;
    this.path.push(node);
    this.dispatch(node);
    this.path.pop();
  }

  private dispatch(node: AstNode): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.visitFunction(node);
      case 'Program':
        return this.visitList(children(node, 'body'));
      case 'BlockStatement':
      case 'StaticBlock':
      case 'TSModuleBlock':
        return this.visitBlock(node);
      case 'SwitchStatement':
        this.visit(child(node, 'discriminant'));
        return this.inScope(() => {
          for (const item of children(node, 'cases')) this.visit(item);
        });
      case 'SwitchCase':
        this.visit(child(node, 'test'));
        return this.visitList(children(node, 'consequent'));
      case 'ForStatement':
        return this.inScope(() => {
          const body = this.loopBody(node);
          this.visit(child(node, 'init'));
          body?.ready.push(...this.headTargets.splice(0));
          this.visit(child(node, 'test'));
          this.visit(child(node, 'update'));
          this.visitLoopBody(body);
        });
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.inScope(() => this.visitForEach(node));
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.visit(child(node, 'test'));
        return this.visitLoopBody(this.loopBody(node));
      case 'CatchClause':
        return this.visitCatch(node);
      case 'TryStatement':
        this.visit(child(node, 'block'));
        this.visit(child(node, 'handler'));
        this.recovery(child(node, 'finalizer'));
        return this.visit(child(node, 'finalizer'));
      case 'VariableDeclaration':
        return this.visitDeclaration(node);
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.visitClass(node);
      case 'AssignmentExpression':
        return this.visitAssignment(node);
      case 'UpdateExpression':
        return this.visitUpdate(node);
      case 'AwaitExpression':
      case 'YieldExpression':
        this.fn?.suspensions.push({
          ...this.span(node),
          argument: child(node, 'argument'),
          isYield: node.type === 'YieldExpression',
          isDelegate: node.delegate === true,
        });
        return this.visitChildren(node);
      case 'ReturnStatement':
        this.fn?.results.push({ ...this.span(node), argument: child(node, 'argument') });
        return this.visitChildren(node);
      case 'CallExpression':
        return this.visitCall(node);
      case 'ThisExpression':
      case 'Super': {
        const receiver = this.receiver();
        if (receiver !== null) receiver.usesThis = true;
        return;
      }
      case 'Identifier':
        if (node.name === 'arguments') this.noteArguments();
        return;
      case 'MemberExpression':
        this.visit(child(node, 'object'));
        if (node.computed === true) this.visit(child(node, 'property'));
        return;
      case 'Property':
        if (node.computed === true) this.visit(child(node, 'key'));
        return this.visit(child(node, 'value'));
      case 'WithStatement': {
        for (let fn = this.fn; fn !== null; fn = fn.outer) fn.skipped = 'it contains a with statement';
        const before = this.insideWith;
        this.insideWith = true;
        this.visitChildren(node);
        this.insideWith = before;
        return;
      }
      default:
        this.visitChildren(node);
    }
  }

  private visitChildren(node: AstNode): void {
    eachChild(node, (inner) => this.visit(inner));
  }

  private visitList(statements: readonly AstNode[]): void {
    for (const statement of statements) {
      if (this.fn !== null && statement.type === 'ExpressionStatement') this.statements.push(statement.start);
      this.around.push({ end: statement.end, depth: this.path.length + 1 });
      this.visit(statement);
      this.around.pop();
    }
  }

  private visitBlock(node: AstNode): void {
    const list = (): void => this.visitList(children(node, 'body'));
    if (node.type === 'BlockStatement') return this.inScope(list);
    // Its variables are no function's.
    this.inScope(list, newScope(this.scope, null, true, [], []));
  }

  private inScope(visit: () => void, scope = this.innerScope()): void {
    const before = this.scope;
    this.scope = scope;
    visit();
    this.scope = before;
  }

  private innerScope(): Scope {
    return newScope(this.scope, this.scope.owner, false, [...this.around], [...this.insideLoops]);
  }

  private loopBody(node: AstNode): LoopBody | null {
    const body = child(node, 'body');
    if (body === null) return null;
    return {
      node: body,
      depth: this.path.length,
      ready: [],
      awaits: node.await === true ? this.fn : null,
    };
  }

  private visitLoopBody(body: LoopBody | null): void {
    if (body === null) return;
    if (this.fn !== null) this.loops.push(body);
    this.insideLoops.push(body);
    this.visit(body.node);
    this.insideLoops.pop();
  }

  private visitForEach(node: AstNode): void {
    const body = this.loopBody(node);
    const left = child(node, 'left');
    const right = child(node, 'right');
    if (left?.type === 'VariableDeclaration') {
      for (const declarator of children(left, 'declarations')) {
        const pattern = child(declarator, 'id');
        if (pattern === null) continue;
        body?.ready.push(...this.declarePattern(pattern, variableKind(left)));
        this.visit(pattern);
        this.visit(child(declarator, 'init'));
      }
    } else if (left !== null) {
      body?.ready.push(...this.targets(patternNames(left)));
      this.visit(left);
    }
    this.visit(right);
    if (node.await === true && this.fn !== null && right !== null) {
      const parent = this.path.at(-2);
      const inList = parent === undefined || holdsStatements(parent) || parent.type === 'LabeledStatement';
      this.fn.asyncLoops.push({ ...this.span(node), right, inList });
    }
    this.visitLoopBody(body);
  }

  private visitCatch(node: AstNode): void {
    this.inScope(() => {
      const parameter = child(node, 'param');
      const body = child(node, 'body');
      if (parameter !== null) {
        const targets = this.declarePattern(parameter, 'catch');
        if (body !== null) this.birth('block', targets, body.start + 1);
        this.visit(parameter);
      }
      this.recovery(body);
      this.visit(body);
    });
  }

  private recovery(block: AstNode | null): void {
    if (block === null) return;
    this.fn?.recoveries.push({ start: block.start, end: block.end, depth: this.path.length });
  }

  private visitDeclaration(node: AstNode): void {
    if (node.declare === true) return;
    const kind = variableKind(node);
    const inHead = this.path.at(-2)?.type === 'ForStatement';
    if (node.kind === 'await using' && this.fn !== null) this.fn.skipped = 'it contains `await using`';
    const later: Target[] = [];
    for (const declarator of children(node, 'declarations')) {
      const pattern = child(declarator, 'id');
      const init = child(declarator, 'init');
      if (pattern === null) continue;
      const targets = this.declarePattern(pattern, kind);
      if (pattern.type === 'Identifier' && init !== null && !takesName(init)) {
        this.birth('before', targets, init.start);
      } else {
        later.push(...targets);
      }
      this.visit(declarator);
    }
    if (inHead) this.headTargets.push(...later);
    else if (later.length > 0) this.birth('after', later, node.end);
  }

  private visitClass(node: AstNode): void {
    if (node.declare === true) return;
    const id = child(node, 'id');
    if (id !== null && node.type === 'ClassDeclaration') {
      this.birth('after', [this.bind(id, 'class')], node.end);
    }
    this.visitChildren(node);
  }

  private visitAssignment(node: AstNode): void {
    const left = child(node, 'left');
    const target = left === null ? null : unwrap(left);
    if (target !== null) {
      const simple = target.type === 'Identifier';
      const targets = this.targets(patternNames(target));
      if (targets.length > 0) {
        this.writes.push({
          form: simple ? 'assignment' : 'after',
          targets,
          fn: this.fn,
          ...this.span(node),
        });
      }
    }
    this.visitChildren(node);
  }

  private visitUpdate(node: AstNode): void {
    const argument = child(node, 'argument');
    if (argument !== null && unwrap(argument).type === 'Identifier') {
      const parent = this.path.at(-2);
      const unused =
        parent?.type === 'ExpressionStatement' || (parent?.type === 'ForStatement' && parent.update === node);
      this.writes.push({
        form: unused ? 'statement' : node.prefix === true ? 'prefix' : 'after',
        targets: this.targets([unwrap(argument)]),
        fn: this.fn,
        ...this.span(node),
      });
    }
    this.visitChildren(node);
  }

  private visitCall(node: AstNode): void {
    const callee = child(node, 'callee');
    if (callee?.type === 'Super') {
      const isStatement = this.path.at(-2)?.type === 'ExpressionStatement';
      this.receiver()?.superCalls.push({ ...this.span(node), isStatement });
    } else if (callee?.type === 'Identifier' && callee.name === 'eval') {
      for (let fn = this.fn; fn !== null; fn = fn.outer) fn.hasEval = true;
    }
    this.visitChildren(node);
  }

  private visitFunction(node: AstNode): void {
    const id = child(node, 'id');
    const outer = this.fn;
    if (node.type === 'FunctionDeclaration' && id !== null) {
      const target = this.bind(id, 'function');
      this.noteHoisted(target);
    }
    const body = child(node, 'body');
    const scope = newScope(this.scope, null, true, [], []);
    const model = this.model(node);
    scope.owner = model;
    this.functions.push(model);
    if (node.type === 'FunctionExpression' && id !== null) declareIn(scope, id, 'outside');
    const saved = { around: this.around, loops: this.insideLoops, scope: this.scope };
    this.around = [];
    this.insideLoops = [];
    this.scope = scope;
    // Parameters are evaluated before the body, so before there is a frame of its own.
    for (const parameter of children(node, 'params')) {
      for (const target of this.declarePattern(parameter, 'parameter')) {
        if (target.name !== 'this') model.parameters.push(target.name);
      }
      this.visit(parameter);
    }
    this.fn = model;
    if (body !== null) {
      this.path.push(body);
      if (body.type === 'BlockStatement') this.visitList(children(body, 'body'));
      else this.dispatch(body);
      this.path.pop();
    }
    this.fn = outer;
    this.around = saved.around;
    this.insideLoops = saved.loops;
    this.scope = saved.scope;
  }

  private model(node: AstNode): FunctionModel {
    const parent = this.path.at(-2);
    const isConstructor = parent?.type === 'MethodDefinition' && parent.kind === 'constructor';
    const classNode = isConstructor ? this.path.at(-4) : undefined;
    const isArrow = node.type === 'ArrowFunctionExpression';
    return {
      node,
      outer: this.fn,
      index: this.functions.length,
      depth: this.path.length,
      name: functionName(this.path),
      isArrow,
      isAsync: node.async === true,
      isGenerator: node.generator === true,
      isDerived: classNode !== undefined && child(classNode, 'superClass') !== null,
      isField: isArrow && parent?.type === 'PropertyDefinition',
      parameters: [],
      bindings: [],
      suspensions: [],
      results: [],
      recoveries: [],
      superCalls: [],
      asyncLoops: [],
      hoisted: [],
      usesThis: isConstructor,
      usesArguments: false,
      hasEval: false,
      skipped: this.insideWith ? 'it is inside a with statement' : reasonToSkip(node, parent),
    };
  }

  private noteHoisted(target: Target): void {
    const holder = this.path.at(-2);
    if (holder?.type !== 'BlockStatement' || this.scope.owner === null) return;
    if (this.scope.isFunction) this.scope.owner.hoisted.push(target);
    else this.birth('block', [target], holder.start + 1);
  }

  /** The function whose `this` is meant here. */
  private receiver(): FunctionModel | null {
    let fn = this.fn;
    while (fn?.isArrow && !fn.isField) fn = fn.outer;
    return fn;
  }

  private noteArguments(): void {
    let fn = this.fn;
    while (fn?.isArrow) fn = fn.outer;
    if (fn !== null) fn.usesArguments = true;
  }

  private span(node: AstNode): Span {
    return { start: node.start, end: node.end, depth: this.path.length };
  }

  private targets(names: readonly AstNode[]): Target[] {
    return names.map((name) => ({ name: text(name, 'name') ?? '', scope: this.scope }));
  }

  private birth(where: Birth['where'], targets: readonly Target[], position: number): void {
    this.births.push({ where, targets, position, depth: this.path.length });
  }

  private declarePattern(pattern: AstNode, kind: BindingKind): Target[] {
    return patternNames(pattern).map((name) => this.bind(name, kind));
  }

  private bind(identifier: AstNode, kind: BindingKind): Target {
    let scope = this.scope;
    if (kind === 'var') while (!scope.isFunction && scope.parent !== null) scope = scope.parent;
    return { name: declareIn(scope, identifier, kind), scope: this.scope };
  }
}

function newScope(
  parent: Scope | null,
  owner: FunctionModel | null,
  isFunction: boolean,
  around: readonly ListStatement[],
  loops: readonly LoopBody[],
): Scope {
  return { parent, owner, isFunction, around, loops, bindings: new Map<string, Binding>() };
}

function declareIn(scope: Scope, identifier: AstNode, kind: BindingKind): string {
  const name = text(identifier, 'name') ?? '';
  const known = scope.bindings.get(name);
  // A parameter and a `var` of one name are one variable; the name of a function expression gives way to either.
  if (known === undefined || known.kind === 'outside') {
    const binding: Binding = { name, kind, start: identifier.start, scope, mirror: null };
    scope.bindings.set(name, binding);
    scope.owner?.bindings.push(binding);
  }
  return name;
}

function variableKind(declaration: AstNode): BindingKind {
  const { kind } = declaration;
  return kind === 'var' || kind === 'let' ? kind : 'const';
}

function holdsStatements(node: AstNode): boolean {
  return node.type === 'BlockStatement' || node.type === 'SwitchCase' || node.type === 'Program';
}
