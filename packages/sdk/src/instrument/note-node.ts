import type { Analysis } from './analysis.ts';
import { type AstNode, child, patternNames, unwrap } from './ast.ts';
import { argumentsOf, receiverOf } from './function-model.ts';

/** What a node means for the function around it, where its children are visited like any others. */
export function noteNode(found: Analysis, node: AstNode): void {
  switch (node.type) {
    case 'AwaitExpression':
    case 'YieldExpression':
      found.fn?.suspensions.push({
        ...found.span(node),
        argument: child(node, 'argument'),
        isYield: node.type === 'YieldExpression',
        isDelegate: node.delegate === true,
      });
      break;
    case 'ReturnStatement':
      found.fn?.results.push({ ...found.span(node), argument: child(node, 'argument') });
      break;
    case 'AssignmentExpression': {
      const target = unwrap(child(node, 'left') ?? node);
      found.write(target.type === 'Identifier' ? 'assignment' : 'after', patternNames(target), node);
      break;
    }
    case 'UpdateExpression': {
      const target = unwrap(child(node, 'argument') ?? node);
      if (target.type === 'Identifier') found.write(updateForm(found, node), [target], node);
      break;
    }
    case 'CallExpression':
      noteCall(found, node);
      break;
    case 'ThisExpression':
    case 'Super':
      found.usesThis();
      break;
    case 'Identifier': {
      const owner = node.name === 'arguments' ? argumentsOf(found.fn) : null;
      if (owner !== null) owner.usesArguments = true;
    }
  }
}

function updateForm(found: Analysis, node: AstNode): 'statement' | 'prefix' | 'after' {
  const { parent } = found;
  const unused =
    parent?.type === 'ExpressionStatement' || (parent?.type === 'ForStatement' && parent.update === node);
  return unused ? 'statement' : node.prefix === true ? 'prefix' : 'after';
}

function noteCall(found: Analysis, node: AstNode): void {
  const callee = child(node, 'callee');
  if (callee?.type === 'Super') {
    const isStatement = found.parent?.type === 'ExpressionStatement';
    receiverOf(found.fn)?.superCalls.push({ ...found.span(node), isStatement });
  } else if (callee?.type === 'Identifier' && callee.name === 'eval') {
    for (let { fn } = found; fn !== null; fn = fn.outer) fn.hasEval = true;
  }
}
