import type { Analysis } from '../analyze/analysis.ts';
import type { Binding, FunctionModel } from '../analyze/model.ts';
import { listPatternNames } from '../analyze/patterns.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** Names of variables that TypeScript, Babel, SWC and esbuild add. */
const TEMPORARY =
  /^(?:_[a-z]|_\d+|_i\d*|(?:e|args|arguments|env|this|state|out)_\d+(?:_\d+)?|_(?:this|super|arguments|loop|iterator|step|ref|args|context|callee|marked|t|tmp|len|key|ret|loop_|iter|object|array|class|state|value|next|return|iteratorError|didIteratorError|iteratorNormalCompletion|iteratorAbruptCompletion|superprop_?\w*|yield\$\w+)_?\d*)$/;

/** Matches a name to which TypeScript added a number, because two variables of the function would otherwise have the same name. */
const NUMBERED = /^(.*[^_\d])_\d+(?:_\d+)?$/;

/** True if a compiler added the variable. */
export function isTemporary(
  { tree, isCompiled }: Analysis,
  fn: FunctionModel,
  { name, start }: Binding,
): boolean {
  if (!isCompiled) return false;
  if (TEMPORARY.test(name)) return true;
  const text = tree.text(fn.node);
  if (NUMBERED.test(name)) return isIterated(text, name);
  if (/^(?:iter|more|temp|error)\d*$/.test(name)) return isLoopState(tree, start, name);
  // catch (err) { _didIteratorError = true; … }
  return new RegExp(
    `catch\\s*\\(\\s*${escapePattern(name)}\\s*\\)\\s*\\{\\s*_(?:didIteratorError|iterator)\\d*\\b`,
  ).test(text);
}

/** True for `lines_1 = __values(lines)`, `lines_1_1 = lines_1.next()` and `lines_1 = lines`. */
function isIterated(text: string, name: string): boolean {
  const base = name.replace(/(?:_\d+)+$/, '');
  const values = `[\\w$.]*__values\\(|${escapePattern(base)}_\\d+\\.next\\(|${escapePattern(base)}\\s*[,;]`;
  return new RegExp(`\\b${escapePattern(name)}\\s*=\\s*(?:${values})`).test(text);
}

/** True for esbuild's variables in `for (var iter = __forAwait(…), more, temp, error; …)` and `catch (temp) { error = [temp]; }`. */
function isLoopState(tree: Tree, start: number, name: string): boolean {
  const before = tree.source.slice(Math.max(0, start - 2000), start);
  const after = tree.source.slice(start, start + 200);
  if (/^iter\d*\s*=\s*__forAwait/.test(after)) return true;
  if (/catch\s*\(\s*$/.test(before))
    return new RegExp(`^${name}\\)\\s*\\{\\s*error\\d*\\s*=\\s*\\[`).test(after);
  return /for\s*\(var iter\d*\s*=\s*__forAwait[^;]*$/.test(before);
}

/**
 * Returns the variable with the author's `this`, such as `_this` after `var _this = this`. Compilers add the variable before a body that
 * they move into a function with another `this`. Returns null if there is no such variable or the body does not use it.
 */
export function findThisVariable(tree: Tree, { node, compiled }: FunctionModel): string | null {
  const around = compiled?.around ?? null;
  if (around === null || tree.kind(around.body) !== kind.BlockStatement) return null;
  const head = tree.source.slice(tree.start(around.body), tree.start(node));
  const name = /\b(_this\d*)\s*=\s*this\b/.exec(head)?.[1];
  return name !== undefined && new RegExp(`\\b${name}\\b`).test(tree.text(node)) ? name : null;
}

/** Returns the author's name for the variable that is declared at `start`. */
export function chooseShownName({ tree, isCompiled }: Analysis, name: string, start: number): string {
  const authors = tree.authorsNames?.get(start);
  if (authors !== undefined) return authors;
  return isCompiled ? name.replace(NUMBERED, '$1') : name;
}

/** Returns the author's names for a function's parameters. */
export function listShownParameters(
  analysis: Analysis,
  fn: FunctionModel,
  names: readonly string[],
): string[] {
  if (analysis.tree.authorsNames === null) return [...names];
  const bindings = [...fn.bindings, ...(fn.compiled?.around?.bindings ?? [])];
  return names.map((name) => {
    const binding = bindings.find((one) => one.name === name);
    return binding === undefined ? name : chooseShownName(analysis, name, binding.start);
  });
}

function escapePattern(name: string): string {
  return name.replaceAll('$', '\\$');
}

/**
 * Restores the author's parameters of a compiled body. Compilers leave parameters on the function around the body, or turn rest parameters,
 * destructured parameters and parameters with defaults into variables.
 */
export function restoreParameters({ tree, functions, isCompiled }: Analysis): void {
  if (!isCompiled && functions.every(({ machine }) => machine === null)) return;
  for (const fn of functions) {
    const { compiled, machine, parameters } = fn;
    if (compiled === null && machine === null) continue;
    const around = parameters.length === 0 ? (compiled?.around ?? null) : null;
    const own = machine === null ? [] : listPreparedNames(tree, fn);
    const outer = around === null ? [] : [...around.parameters, ...listPreparedNames(tree, around)];
    const hidden = new Set(fn.bindings.map(({ name }) => name));
    const seen = outer.filter((name) => !hidden.has(name));
    parameters.push(...seen, ...own);
    const authors = parameters.filter((name) => !TEMPORARY.test(name));
    parameters.splice(0, parameters.length, ...authors);
  }
}

/** Lists the variables that get a value before the function's last statement. The last statement runs the author's body. */
function listPreparedNames(tree: Tree, { body }: FunctionModel): string[] {
  if (tree.kind(body) !== kind.BlockStatement) return [];
  const names: string[] = [];
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count - 1; index++) {
    const statement = tree.item(body, slot.first, index);
    if (tree.kind(statement) === kind.VariableDeclaration) names.push(...namesWithValue(tree, statement));
  }
  return names;
}

function namesWithValue(tree: Tree, declaration: Node): string[] {
  return tree
    .list(declaration, slot.declaration.declarations)
    .filter((declarator) => tree.child(declarator, slot.declarator.init) !== 0)
    .flatMap((declarator) => listPatternNames(tree, tree.child(declarator, slot.declarator.id)))
    .map((name) => tree.name(name));
}
