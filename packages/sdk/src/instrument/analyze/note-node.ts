import { findAwaited } from '../compiled/compiled-body.ts';
import { printAfterYield } from '../names/printed-text.ts';
import { flag, kind, slot } from '../parsers/layout.ts';
import type { Node } from '../parsers/tree.ts';
import type { Analysis } from './analysis.ts';
import type { WriteForm } from './model.ts';
import { findArgumentsOwner, findReceiver } from './model.ts';
import { assignsRightSide, listPatternNames, needsParentheses } from './patterns.ts';

/** Handlers by node kind. Each records facts about the visited node. The walker visits the node's children. */
export const notes: readonly (((found: Analysis, node: Node) => void) | undefined)[] = listNotesByKind();

function listNotesByKind(): ((found: Analysis, node: Node) => void)[] {
  const byKind: ((found: Analysis, node: Node) => void)[] = [];
  byKind[kind.AwaitExpression] = (found, node) => noteSuspension(found, node, false);
  byKind[kind.YieldExpression] = (found, node) => noteSuspension(found, node, true);
  byKind[kind.ReturnStatement] = (found, node) => {
    const { tree, fn, path, functions } = found;
    fn?.results.push({
      argument: tree.child(node, slot.first),
      start: tree.start(node),
      end: tree.end(node),
      depth: path.length,
      functionsBefore: functions.length,
    });
  };
  byKind[kind.AssignmentExpression] = noteAssignment;
  byKind[kind.UpdateExpression] = (found, node) => {
    const target = found.tree.child(node, slot.update.argument);
    if (found.tree.kind(target) === kind.Identifier) found.write(updateForm(found, node), [target], node);
  };
  byKind[kind.CallExpression] = noteCall;
  byKind[kind.MetaProperty] = ({ tree, importMetas }, node) => {
    if (tree.source.startsWith('import', tree.start(node))) importMetas.push(node);
  };
  byKind[kind.ThisExpression] = (found) => found.usesThis();
  byKind[kind.Super] = (found) => found.usesThis();
  byKind[kind.Identifier] = ({ tree, fn }, node) => {
    if (tree.end(node) - tree.start(node) !== 'arguments'.length || tree.text(node) !== 'arguments') return;
    const owner = findArgumentsOwner(fn);
    if (owner !== null) owner.usesArguments = true;
  };
  return byKind;
}

function noteSuspension(found: Analysis, node: Node, isYield: boolean): void {
  const { tree, fn, path, functions } = found;
  if (fn === null) return;
  // Sloppy-mode code may use `await` and `yield` as names. If such a name was parsed as an operator, the tree is wrong.
  if (!(isYield ? fn.isGenerator : fn.isAsync))
    throw new SyntaxError('it contains an await or yield outside of an async function or generator');
  const argument = tree.child(node, isYield ? slot.yield.argument : slot.first);
  const isDelegate = isYield && tree.flag(node, flag.yield.delegate);
  fn.suspensions.push({
    start: tree.start(node),
    end: tree.end(node),
    depth: path.length,
    functionsBefore: functions.length,
    argument,
    isYield,
    awaits: isYield ? findAwaited(tree, argument) : 0,
    isDelegate,
    printed: isDelegate ? printAfterYield(tree, path, argument, fn.isAsync) : null,
    isSubject: isSubject(found, node),
  });
}

/**
 * True if a `for` loop (but not `for await`), or the array pattern of a declaration such as `const [a] = …`, iterates over the value of the
 * expression. False for `const [a] = (…)`, because V8's error message does not print an expression in parentheses.
 */
function isSubject({ tree, parent }: Analysis, node: Node): boolean {
  if (tree.kind(parent) === kind.VariableDeclarator)
    return (
      tree.child(parent, slot.declarator.init) === node &&
      tree.kind(tree.child(parent, slot.declarator.id)) === kind.ArrayPattern &&
      tree.end(parent) === tree.end(node)
    );
  return (
    tree.kind(parent) === kind.ForOfStatement &&
    tree.child(parent, slot.forOf.right) === node &&
    !tree.flag(parent, flag.forOf.await)
  );
}

function noteAssignment(found: Analysis, node: Node): void {
  const { tree } = found;
  const target = tree.child(node, slot.assignment.left);
  const value = tree.child(node, slot.assignment.right);
  if (tree.kind(target) !== kind.Identifier)
    found.write(isUnused(found, node) ? 'statement' : 'pattern', listPatternNames(tree, target), node);
  else if (assignsRightSide(tree, node) && !needsParentheses(tree, value))
    found.write('value', [target], value);
  else found.write('assignment', [target], node);
}

function updateForm(found: Analysis, node: Node): WriteForm {
  if (isUnused(found, node)) return 'statement';
  return found.tree.flag(node, flag.update.prefix) ? 'prefix' : 'postfix';
}

/** True if nothing uses the value of the expression. */
function isUnused({ tree, parent }: Analysis, node: Node): boolean {
  const holder = tree.kind(parent);
  return (
    holder === kind.ExpressionStatement ||
    (holder === kind.ForStatement && tree.child(parent, slot.for.update) === node)
  );
}

function noteCall(found: Analysis, node: Node): void {
  const { tree } = found;
  const callee = tree.child(node, slot.call.callee);
  const calleeKind = tree.kind(callee);
  if (calleeKind === kind.Super) {
    const isStatement = tree.kind(found.parent) === kind.ExpressionStatement;
    findReceiver(found.fn)?.superCalls.push({ ...found.span(node), isStatement });
  } else if (calleeKind === kind.Identifier && tree.text(callee) === 'eval') {
    for (let { fn } = found; fn !== null; fn = fn.outer) fn.hasEval = true;
  }
}
