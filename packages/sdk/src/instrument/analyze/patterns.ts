import { flag, kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** Lists the identifiers that a pattern binds or assigns to, in source order, without members such as `a.b`. */
export function listPatternNames(tree: Tree, pattern: Node, names: Node[] = []): Node[] {
  switch (tree.kind(pattern)) {
    case kind.Identifier:
      names.push(pattern);
      break;
    case kind.ObjectPattern:
    case kind.ArrayPattern:
      for (const part of tree.list(pattern, slot.first)) listPatternNames(tree, part, names);
      break;
    case kind.Property:
      listPatternNames(tree, tree.child(pattern, slot.property.value), names);
      break;
    case kind.AssignmentPattern:
    case kind.RestElement:
      listPatternNames(tree, tree.child(pattern, slot.first), names);
  }
  return names;
}

/** True if assigning this expression to a variable would give a function or class the name of the variable. */
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
 * True if an expression to which `x=` is prepended must be wrapped as `(0,…)`. Otherwise an anonymous function would get
 * the name `x`, and only the first item of a comma expression would be assigned. Parentheses in the source do not help:
 * the tree has no nodes for them, so `x=` is inserted inside them.
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

/** Finds where the expression body of an arrow function begins, including any parentheses around it. */
export function findArrowBodyStart(tree: Tree, arrow: Node): number {
  const known = tree.arrowBodies?.get(arrow);
  if (known !== undefined) return known;
  const { source } = tree;
  const last = tree.list(arrow, slot.arrow.params).at(-1);
  let place = last === undefined ? tree.start(arrow) : tree.end(last);
  for (;;) {
    const char = source[place];
    // The first `=` outside of comments is that of `=>`: only `async`, parentheses, a comma and white space may come before it.
    if (char === '=') return place + 2;
    if (char === '/') place = skipComment(source, place);
    else if (place < source.length) place++;
    else throw new Error('an arrow function has no arrow');
  }
}

/** True if the operator is `=`, `??=`, `||=` or `&&=`: these operators assign the value on the right unchanged. */
export function assignsRightSide(tree: Tree, assignment: Node): boolean {
  const { source } = tree;
  let place = tree.end(tree.child(assignment, slot.assignment.left));
  for (;;) {
    const char = source[place] ?? '=';
    const isComment = char === '/' && /[*/]/.test(source[place + 1] ?? '');
    if (isComment) place = skipComment(source, place);
    else if (char === ')' || /\s/.test(char)) place++;
    else return /=|\?\?=|\|\|=|&&=/y.test(source.slice(place, place + 3));
  }
}

function skipComment(source: string, place: number): number {
  if (source[place + 1] === '*') return source.indexOf('*/', place + 2) + 2;
  const end = /[\n\r\u2028\u2029]/g;
  end.lastIndex = place;
  return end.exec(source)?.index ?? source.length;
}
