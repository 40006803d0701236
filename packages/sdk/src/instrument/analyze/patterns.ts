import { flag, kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** The names that a pattern binds or assigns, in source order; members it assigns to are left out. */
export function patternNames(tree: Tree, pattern: Node, names: Node[] = []): Node[] {
  switch (tree.kind(pattern)) {
    case kind.Identifier:
      names.push(pattern);
      break;
    case kind.ObjectPattern:
    case kind.ArrayPattern:
      for (const part of tree.list(pattern, slot.first)) patternNames(tree, part, names);
      break;
    case kind.Property:
      patternNames(tree, tree.child(pattern, slot.property.value), names);
      break;
    case kind.AssignmentPattern:
    case kind.RestElement:
      patternNames(tree, tree.child(pattern, slot.first), names);
  }
  return names;
}

/** True if an assignment would name this expression after its variable. */
function takesName(tree: Tree, node: Node): boolean {
  switch (tree.kind(node)) {
    case kind.ArrowFunctionExpression:
      return true;
    case kind.FunctionExpression:
      return tree.child(node, slot.function.id) === 0;
    case kind.ClassExpression:
      return tree.child(node, slot.class.id) === 0;
    default:
      return false;
  }
}

/**
 * True if the expression needs parentheses after `x=`, which would name it, or take only the first of a list. Trees have no parentheses,
 * so text at a node's start lies inside those around it.
 */
export function needsParentheses(tree: Tree, node: Node): boolean {
  return takesName(tree, node) || tree.kind(node) === kind.SequenceExpression;
}

/** True if the property's key is an expression in brackets. */
export function isComputed(tree: Tree, member: Node): boolean {
  return tree.flag(
    member,
    tree.kind(member) === kind.Property ? flag.property.computed : flag.method.computed,
  );
}

/** Where the body of an arrow function with an expression begins, outside of parentheses around it. */
export function arrowBodyStart(tree: Tree, arrow: Node): number {
  const known = tree.arrowBodies?.get(arrow);
  if (known !== undefined) return known;
  const { source } = tree;
  const last = tree.list(arrow, slot.arrow.params).at(-1);
  let place = last === undefined ? tree.start(arrow) : tree.end(last);
  for (;;) {
    const char = source.charCodeAt(place);
    // `=>` is the first `=` outside of comments: all that may come before is `async`, parentheses, a comma and blanks.
    if (char === 61) return place + 2;
    if (char === 47) place = afterComment(source, place);
    else if (place < source.length) place++;
    else throw new Error('an arrow function has no arrow');
  }
}

/** True if the assignment gives the variable the value on its right, if any: by `=`, `??=`, `||=` or `&&=`. */
export function assignsRightSide(tree: Tree, assignment: Node): boolean {
  const { source } = tree;
  let place = tree.end(tree.child(assignment, slot.assignment.left));
  for (;;) {
    const char = source[place] ?? '=';
    const isComment = char === '/' && /[*/]/.test(source[place + 1] ?? '');
    if (isComment) place = afterComment(source, place);
    else if (char === ')' || /\s/.test(char)) place++;
    else return /=|\?\?=|\|\|=|&&=/y.test(source.slice(place, place + 3));
  }
}

function afterComment(source: string, place: number): number {
  if (source.charCodeAt(place + 1) === 42) return source.indexOf('*/', place + 2) + 2;
  const end = /[\n\r\u2028\u2029]/g;
  end.lastIndex = place;
  return end.exec(source)?.index ?? source.length;
}
