import { type AstNode, child, children, text, unwrap } from './ast.ts';

const maxCallee = 60;

/** What a developer would call the function at the end of `path`: by its own name, what it is assigned to, or where it is passed. */
export function functionName(path: readonly AstNode[]): string {
  const node = path.at(-1);
  if (node === undefined) return 'anonymous';
  return text(child(node, 'id'), 'name') ?? placeName(path, path.length - 1);
}

function placeName(path: readonly AstNode[], at: number): string {
  const node = path[at];
  const parent = path[at - 1];
  if (node === undefined || parent === undefined) return 'anonymous';
  switch (parent.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return placeName(path, at - 1);
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return memberName(path, at - 1, parent);
    case 'Property':
      return propertyName(path, at - 1, parent);
    case 'VariableDeclarator':
      return text(child(parent, 'id'), 'name') ?? anonymous(path, at);
    case 'AssignmentPattern':
    case 'AssignmentExpression': {
      const left = child(parent, 'left');
      return (left !== null && assignedName(path, at, left)) || anonymous(path, at);
    }
    case 'ExportDefaultDeclaration':
      return 'default';
    case 'CallExpression':
    case 'NewExpression':
      return callbackName(parent, node) ?? anonymous(path, at);
    default:
      return anonymous(path, at);
  }
}

function className(path: readonly AstNode[], at: number): string | null {
  for (let index = at; index >= 0; index--) {
    const node = path[index];
    if (node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression') {
      const own = text(child(node, 'id'), 'name');
      if (own !== null) return own;
      const named = placeName(path, index);
      return named.startsWith('anonymous') ? null : named;
    }
  }
  return null;
}

function memberName(path: readonly AstNode[], at: number, member: AstNode): string {
  const owner = className(path, at);
  if (member.kind === 'constructor') return `new ${owner ?? 'anonymous class'}`;
  const key = keyName(member) ?? '[computed]';
  return owner === null ? key : `${owner}.${key}`;
}

/** `{ pay() {} }` is `shop.pay` where the object is assigned to `shop`, `pay` where it is passed or returned. */
function propertyName(path: readonly AstNode[], at: number, property: AstNode): string {
  const key = keyName(property) ?? '[computed]';
  const object = path[at - 1];
  const holder = path[at - 2];
  if (object?.type !== 'ObjectExpression' || holder === undefined) return key;
  const owner =
    holder.type === 'VariableDeclarator'
      ? text(child(holder, 'id'), 'name')
      : holder.type === 'AssignmentExpression'
        ? expressionName(child(holder, 'left'))
        : null;
  return owner === null ? key : joined(owner, key);
}

function assignedName(path: readonly AstNode[], at: number, left: AstNode): string | null {
  const target = unwrap(left);
  if (target.type === 'Identifier') return text(target, 'name');
  if (target.type !== 'MemberExpression') return null;
  const object = child(target, 'object');
  const key = expressionKey(target);
  if (key === null) return null;
  if (object?.type === 'ThisExpression') {
    const owner = className(path, at);
    return owner === null ? key : `${owner}.${key}`;
  }
  const owner = expressionName(object);
  return owner === null ? key : joined(owner, key);
}

/** `exports` and `prototype` say nothing of whose function it is. */
function joined(owner: string, key: string): string {
  const shown = owner.replace(/^(module\.)?exports(\.|$)/, '').replace(/\.prototype$/, '');
  return shown === '' ? key : `${shown}.${key}`;
}

function callbackName(call: AstNode, callback: AstNode): string | null {
  const args = children(call, 'arguments');
  if (!args.includes(callback)) return null;
  const callee = expressionName(child(call, 'callee'));
  if (callee === null) return null;
  const first = args[0];
  const label = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null;
  const shown = `${call.type === 'NewExpression' ? 'new ' : ''}${callee}`;
  return label === null ? `${shown}() callback` : `${shown}('${label.slice(0, maxCallee)}') handler`;
}

/** `router.post`, `fetchOrder().then`, `this.pool.query`; null where that would say nothing. */
function expressionName(node: AstNode | null): string | null {
  const name = node === null ? null : longName(unwrap(node));
  return name === null || name.length <= maxCallee ? name : `…${name.slice(-maxCallee)}`;
}

function longName(node: AstNode): string | null {
  switch (node.type) {
    case 'Identifier':
      return text(node, 'name');
    case 'ThisExpression':
      return 'this';
    case 'Super':
      return 'super';
    case 'ChainExpression':
      return expressionName(child(node, 'expression'));
    case 'CallExpression': {
      const callee = expressionName(child(node, 'callee'));
      return callee === null ? null : `${callee}()`;
    }
    case 'NewExpression': {
      const callee = expressionName(child(node, 'callee'));
      return callee === null ? null : `new ${callee}()`;
    }
    case 'MemberExpression': {
      const key = expressionKey(node);
      const object = expressionName(child(node, 'object'));
      return key === null ? object : object === null ? key : `${object}.${key}`;
    }
    default:
      return null;
  }
}

function expressionKey(member: AstNode): string | null {
  const property = child(member, 'property');
  if (property === null) return null;
  if (property.type === 'PrivateIdentifier') return `#${text(property, 'name') ?? ''}`;
  if (member.computed !== true) return text(property, 'name');
  return typeof property.value === 'string' ? property.value : null;
}

function keyName(member: AstNode): string | null {
  const key = child(member, 'key');
  if (key === null) return null;
  if (key.type === 'PrivateIdentifier') return `#${text(key, 'name') ?? ''}`;
  if (key.type === 'Literal') return `${key.value}`;
  if (member.computed !== true) return text(key, 'name');
  // [Symbol.iterator]() {}
  const name = expressionName(key);
  return name === null ? null : `[${name}]`;
}

function anonymous(path: readonly AstNode[], at: number): string {
  for (let index = at - 1; index > 0; index--) {
    const type = path[index]?.type ?? '';
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)) {
      const outer = functionName(path.slice(0, index + 1));
      return outer.startsWith('anonymous') ? outer : `anonymous in ${outer}`;
    }
  }
  return 'anonymous';
}
