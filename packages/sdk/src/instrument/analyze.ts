import { Analysis } from './analysis.ts';
import { type AstNode, child, children, eachChild, patternNames, takesName } from './ast.ts';
import { functionModel } from './function-model.ts';
import type { BindingKind, LoopBody, Target } from './model.ts';
import { noteNode } from './note-node.ts';
import { functionScope } from './scopes.ts';

/** Walks a program once, and finds everything that is to be known before text is put into it. */
export function analyze(program: AstNode): Analysis {
  const walk = new Walk();
  walk.visit(program);
  return walk.found;
}

class Walk {
  readonly found = new Analysis();
  /** Of the `for` whose head is visited: what cannot get its mirror there. */
  private readonly headTargets: Target[] = [];
  private insideWith = false;

  visit(node: AstNode | null): void {
    if (node === null) return;
    this.found.path.push(node);
    this.dispatch(node);
    this.found.path.pop();
  }

  private dispatch(node: AstNode): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.visitFunction(node);
        break;
      case 'Program':
        this.visitList(children(node, 'body'));
        break;
      case 'BlockStatement':
        this.found.inScope(() => this.visitList(children(node, 'body')));
        break;
      case 'StaticBlock':
      case 'TSModuleBlock':
        // Its variables are no function's.
        this.found.inScope(
          () => this.visitList(children(node, 'body')),
          functionScope(this.found.scope, null),
        );
        break;
      case 'SwitchStatement':
        this.visit(child(node, 'discriminant'));
        this.found.inScope(() => this.visitAll(children(node, 'cases')));
        break;
      case 'SwitchCase':
        this.visit(child(node, 'test'));
        this.visitList(children(node, 'consequent'));
        break;
      case 'ForStatement':
        this.found.inScope(() => this.visitFor(node));
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.found.inScope(() => this.visitForEach(node));
        break;
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.visit(child(node, 'test'));
        this.visitLoopBody(this.loopBody(node));
        break;
      case 'CatchClause':
        this.found.inScope(() => this.visitCatch(node));
        break;
      case 'TryStatement':
        this.visitTry(node);
        break;
      case 'VariableDeclaration':
        this.visitDeclaration(node);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.visitClass(node);
        break;
      case 'WithStatement':
        this.visitWith(node);
        break;
      case 'MemberExpression':
        this.visit(child(node, 'object'));
        if (node.computed === true) this.visit(child(node, 'property'));
        break;
      case 'Property':
        if (node.computed === true) this.visit(child(node, 'key'));
        this.visit(child(node, 'value'));
        break;
      default:
        noteNode(this.found, node);
        eachChild(node, (inner) => this.visit(inner));
    }
  }

  private visitAll(nodes: readonly AstNode[]): void {
    for (const node of nodes) this.visit(node);
  }

  private visitList(statements: readonly AstNode[]): void {
    const { found } = this;
    for (const statement of statements) {
      if (found.fn !== null && statement.type === 'ExpressionStatement')
        found.statements.push(statement.start);
      found.around.push({ end: statement.end, depth: found.path.length + 1 });
      this.visit(statement);
      found.around.pop();
    }
  }

  private loopBody(node: AstNode): LoopBody | null {
    const { path, fn } = this.found;
    const body = child(node, 'body');
    return body === null
      ? null
      : { node: body, depth: path.length, ready: [], awaits: node.await === true ? fn : null };
  }

  private visitLoopBody(body: LoopBody | null): void {
    if (body === null) return;
    const { found } = this;
    if (found.fn !== null) found.loops.push(body);
    found.insideLoops.push(body);
    this.visit(body.node);
    found.insideLoops.pop();
  }

  private visitFor(node: AstNode): void {
    const body = this.loopBody(node);
    this.visit(child(node, 'init'));
    body?.ready.push(...this.headTargets.splice(0));
    this.visit(child(node, 'test'));
    this.visit(child(node, 'update'));
    this.visitLoopBody(body);
  }

  private visitForEach(node: AstNode): void {
    const { found } = this;
    const body = this.loopBody(node);
    const left = child(node, 'left');
    const right = child(node, 'right');
    if (left?.type === 'VariableDeclaration') {
      for (const declarator of children(left, 'declarations')) {
        const pattern = child(declarator, 'id');
        if (pattern !== null) body?.ready.push(...found.declarePattern(pattern, variableKind(left)));
        this.visit(declarator);
      }
    } else if (left !== null) {
      body?.ready.push(...found.targets(patternNames(left)));
      this.visit(left);
    }
    this.visit(right);
    if (node.await === true && right !== null) {
      const { parent } = found;
      const inList =
        parent !== undefined && /^(BlockStatement|SwitchCase|LabeledStatement)$/.test(parent.type);
      found.fn?.asyncLoops.push({ ...found.span(node), right, inList });
    }
    this.visitLoopBody(body);
  }

  private visitTry(node: AstNode): void {
    this.visit(child(node, 'block'));
    this.visit(child(node, 'handler'));
    this.found.recovery(child(node, 'finalizer'));
    this.visit(child(node, 'finalizer'));
  }

  private visitCatch(node: AstNode): void {
    const { found } = this;
    const parameter = child(node, 'param');
    const body = child(node, 'body');
    if (parameter !== null && body !== null) {
      found.birth('block', found.declarePattern(parameter, 'catch'), body.start + 1);
      this.visit(parameter);
    }
    found.recovery(body);
    this.visit(body);
  }

  private visitDeclaration(node: AstNode): void {
    const { found } = this;
    if (node.declare === true) return;
    if (node.kind === 'await using') found.skipAround('it contains `await using`');
    const inHead = found.parent?.type === 'ForStatement';
    const later: Target[] = [];
    for (const declarator of children(node, 'declarations')) {
      const pattern = child(declarator, 'id');
      const init = child(declarator, 'init');
      if (pattern === null) continue;
      const targets = found.declarePattern(pattern, variableKind(node));
      if (pattern.type === 'Identifier' && init !== null && !takesName(init)) {
        found.birth('before', targets, init.start);
      } else {
        later.push(...targets);
      }
      this.visit(declarator);
    }
    if (inHead) this.headTargets.push(...later);
    else if (later.length > 0) found.birth('after', later, node.end);
  }

  private visitClass(node: AstNode): void {
    if (node.declare === true) return;
    const id = child(node, 'id');
    if (id !== null && node.type === 'ClassDeclaration') {
      this.found.birth('after', [this.found.declare(id, 'class')], node.end);
    }
    eachChild(node, (inner) => this.visit(inner));
  }

  private visitWith(node: AstNode): void {
    this.found.skipAround('it contains a `with` statement');
    const before = this.insideWith;
    this.insideWith = true;
    eachChild(node, (inner) => this.visit(inner));
    this.insideWith = before;
  }

  private visitFunction(node: AstNode): void {
    const { found } = this;
    const id = child(node, 'id');
    const isDeclaration = node.type === 'FunctionDeclaration';
    if (isDeclaration && id !== null) found.hoist(found.declare(id, 'function'));
    const model = functionModel(found.path, node, found.fn, found.functions.length);
    if (this.insideWith) model.skipped ??= 'it is inside a `with` statement';
    found.functions.push(model);
    found.inFunction(functionScope(found.scope, model), () => {
      if (!isDeclaration && id !== null) found.declare(id, 'outside');
      // Parameters are evaluated before the body, so before there is a frame of its own.
      for (const parameter of children(node, 'params')) {
        const names = found.declarePattern(parameter, 'parameter').map(({ name }) => name);
        model.parameters.push(...names.filter((name) => name !== 'this'));
        this.visit(parameter);
      }
      found.fn = model;
      const body = child(node, 'body');
      if (body === null) return;
      found.path.push(body);
      if (body.type === 'BlockStatement') this.visitList(children(body, 'body'));
      else this.dispatch(body);
      found.path.pop();
    });
  }
}

function variableKind(declaration: AstNode): BindingKind {
  const { kind } = declaration;
  return kind === 'var' || kind === 'let' ? kind : 'const';
}
