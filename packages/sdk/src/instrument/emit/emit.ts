import { isCallbackName } from '../../internal/callback-name.ts';
import type { InstrumentedSite } from '../../record/types.ts';
import type { Analysis } from '../analyze/analysis.ts';
import type { Deadline } from '../analyze/deadline.ts';
import { findInstrumented } from '../analyze/function-model.ts';
import type { FunctionModel, Result } from '../analyze/model.ts';
import { findArrowBodyStart, needsParentheses } from '../analyze/patterns.ts';
import { emitMachine, returnsValue } from '../compiled/emit-machine.ts';
import { findThisVariable, listShownParameters, restoreParameters } from '../compiled/variables.ts';
import { nameExport } from '../names/exported-name.ts';
import { isVisited } from '../names/expression-printer.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';
import { Edits } from './edits.ts';
import { emitBindings, listNames, mirrorBindings } from './emit-bindings.ts';
import { skipDirectives } from './emit-places.ts';
import { emitAsyncLoop, emitSuspension, listHooks } from './emit-suspensions.ts';
import {
  type Frame,
  formatEpilogue,
  formatForwardingMark,
  formatPrebuiltSiteId,
  formatPrologue,
  wrapDisposal,
} from './injected.ts';
import { RETURN_BEGINS, RETURN_GOES_ON } from './injected-names.ts';

export interface Emission {
  readonly edits: Edits;
  readonly sites: readonly InstrumentedSite[];
}

export interface Locate {
  /**
   * Returns the author's position of the first offset that has one. If no offset has one, returns the author's position of the line after
   * the first offset. If that line has none, returns the first offset's line in the source that is instrumented.
   */
  start(...offsets: readonly number[]): AuthorsPlace;
  /** Returns the name that the function at `offset` has in the author's source. */
  functionName(offset: number): string | undefined;
  /** Returns the author's last line of a function that begins at `start` and whose code ends before the offset `end`; 0 if unknown. */
  lastLine(start: AuthorsPlace, end: number): number;
}

interface AuthorsPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * Determines all text to insert. Sites get consecutive ids from `firstSite` on. If `firstSite` is null, the code registers its own sites.
 */
export function emit(
  analysis: Analysis,
  firstSite: number | null,
  locate: Locate,
  deadline: Deadline,
): Emission {
  const edits = new Edits(analysis.statements);
  restoreParameters(analysis);
  mirrorBindings(analysis);
  const temporaries = emitBindings(analysis, edits);
  const sites: InstrumentedSite[] = [];
  const bySite = new Map<FunctionModel, InstrumentedSite>();
  for (const fn of analysis.functions) {
    if (fn.skipped !== null) continue;
    deadline.check();
    const site = formatSiteId(firstSite, sites.length);
    const written = emitFunction(analysis, fn, site, edits, locate, temporaries.has(fn));
    bySite.set(fn, written);
    sites.push(written);
  }
  for (const { body, depth, forwardsTo } of analysis.functions) {
    const written = forwardsTo === null ? undefined : bySite.get(forwardsTo);
    if (written === undefined) continue;
    edits.open(
      analysis.tree.start(body) + 1,
      depth,
      formatForwardingMark(formatSiteId(firstSite, sites.length)),
    );
    sites.push(written);
  }
  return { edits, sites };
}

function formatSiteId(firstSite: number | null, index: number): string {
  return firstSite === null ? formatPrebuiltSiteId(index) : `${firstSite + index}`;
}

function emitFunction(
  analysis: Analysis,
  fn: FunctionModel,
  site: string,
  edits: Edits,
  locate: Locate,
  hasTemporary: boolean,
): InstrumentedSite {
  const { tree } = analysis;
  const place = locate.start(...listAuthorsStarts(tree, fn));
  const named = listNames(analysis, fn, (offset) => locate.start(offset).line);
  const isExpression = tree.kind(fn.body) !== kind.BlockStatement;
  const hasResult =
    fn.machine !== null
      ? returnsValue(tree, fn.machine)
      : isExpression || fn.results.some((result) => result.argument !== 0);
  const inputs = takesArguments(fn) ? [...fn.parameters, 'arguments'] : fn.parameters;
  const frame: Frame = {
    fn,
    site,
    outer: findInstrumented(fn.outer),
    inputs: inputs.join(','),
    values: named.expressions,
    mirrors: named.mirrors,
    self: formatReceiver(tree, fn),
    hasResult,
    needsTemporary: hasTemporary,
    hooks: listHooks(fn),
    isSync: isSync(fn),
    breaks: !isExpression && fn.results.length > 0,
  };
  if (fn.machine !== null) emitMachine(tree, frame, fn.machine, edits);
  else if (isExpression) emitExpressionBody(analysis, frame, edits);
  else emitBlockBody(tree, frame, edits);
  fn.suspensions.forEach((suspension) => {
    emitSuspension(analysis, fn, suspension, edits);
  });
  for (const result of fn.machine === null ? fn.results : []) emitResult(analysis, fn, result, edits);
  fn.recoveries.forEach((block) => {
    edits.open(block.start + 1, block.depth, fn.injected.recover);
  });
  for (const parent of fn.superCalls) {
    if (!fn.isDerived) continue;
    edits.open(parent.start, parent.depth, `${parent.isStatement ? '' : '('}${fn.injected.self}=`);
    if (!parent.isStatement) edits.close(parent.end, parent.depth, ')');
  }
  fn.asyncLoops.forEach((loop) => {
    emitAsyncLoop(analysis, fn, loop, edits);
  });
  fn.disposals.forEach(({ start, end, depth }, index) => {
    const [before, after] = wrapDisposal(fn, index);
    edits.open(start, depth, before);
    edits.close(end, depth, after);
  });
  return {
    name: nameExport(findName(tree, fn, locate), place.file),
    file: place.file,
    line: place.line,
    kind: readSiteKind(fn),
    inputs: listShownParameters(analysis, fn, inputs),
    bindings: named.names,
    parameters: named.parameters,
    returns: hasResult,
    lastLine: locate.lastLine(place, tree.end(fn.compiled?.author ?? fn.node)),
  };
}

/** Returns the expression for the `this` that a step shows; null if the step shows no `this`. */
function formatReceiver(tree: Tree, fn: FunctionModel): string | null {
  const variable = findThisVariable(tree, fn);
  if (variable !== null) return variable;
  const author = fn.compiled?.around ?? fn;
  if (!fn.usesThis || (author.isArrow && !author.isField)) return null;
  return fn.isDerived ? fn.injected.self : 'this';
}

/** True if a function needs a site at run time. */
export function hasSite({ skipped, forwardsTo }: FunctionModel): boolean {
  return skipped === null || (forwardsTo !== null && forwardsTo.skipped === null);
}

/**
 * Lists the start offsets of the author's function and of its name, because combined source maps sometimes contain only one of the two. If
 * a compiler moved the body, the body's start offset comes last.
 */
export function listAuthorsStarts(tree: Tree, { node, compiled }: FunctionModel): number[] {
  const author = compiled?.author ?? node;
  const isNamed =
    tree.kind(author) === kind.FunctionDeclaration || tree.kind(author) === kind.FunctionExpression;
  const id = isNamed ? tree.child(author, slot.function.id) : 0;
  const starts = id === 0 ? [tree.start(author)] : [tree.start(author), tree.start(id)];
  return author === node ? starts : [...starts, tree.start(node)];
}

/**
 * Finds the function's name. For an anonymous function expression, looks the name up in the author's source, because minifiers remove the
 * name of a function that does not use it.
 */
function findName(tree: Tree, { node, compiled, name }: FunctionModel, locate: Locate): string {
  if (compiled !== null || tree.kind(node) !== kind.FunctionExpression || !isCallbackName(name)) return name;
  return locate.functionName(tree.start(node)) ?? name;
}

/** True if a function neither awaits nor yields. In such a function, a `break` out of the labelled `try` can replace `return`. */
function isSync(fn: FunctionModel): boolean {
  return readSiteKind(fn) === 'sync' && !fn.isGenerator;
}

function readSiteKind({ isAsync, isGenerator, compiled, machine }: FunctionModel): InstrumentedSite['kind'] {
  if (compiled !== null) return compiled.isGenerator ? 'async-generator' : 'async';
  if (isAsync) return isGenerator ? 'async-generator' : 'async';
  return isGenerator || machine !== null ? 'generator' : 'sync';
}

function emitExpressionBody(analysis: Analysis, frame: Frame, edits: Edits): void {
  const { tree } = analysis;
  const { fn } = frame;
  const wrap = needsParentheses(tree, fn.body);
  const holds = analysis.holdsFunction(fn.functionsBefore, tree.end(fn.body));
  const [before, after] = wrapResult(tree, fn, fn.body, holds);
  edits.open(
    findArrowBodyStart(tree, fn.node),
    fn.depth,
    `{{${formatPrologue(frame)}${frame.isSync ? '' : 'return'}${before}${wrap ? '(0,' : ''}`,
  );
  edits.close(tree.end(fn.node), fn.depth, `${wrap ? ')' : ''}${after}${formatEpilogue(frame)}}}`);
}

function emitBlockBody(tree: Tree, frame: Frame, edits: Edits): void {
  const { fn } = frame;
  const hoisted = fn.hoisted
    .map(({ name, mirror }) => (mirror === null ? '' : `${mirror}=${name};`))
    .join('');
  const start = skipDirectives(tree, fn.body, tree.start(fn.body) + 1);
  // If the directive has no semicolon, this semicolon ends it. Otherwise the directive would continue into the inserted text.
  const directive = start > tree.start(fn.body) + 1 ? ';' : '';
  const [opening, closing] = wrapBody(tree, frame);
  const before = directive + opening + formatPrologue(frame) + hoisted;
  const after = formatEpilogue(frame) + closing;
  const end = tree.end(fn.body) - 1;
  if (start === end) edits.open(start, fn.depth, before + after);
  else {
    edits.open(start, fn.depth, before);
    edits.close(end, fn.depth, after);
  }
}

/**
 * Returns the text around a body. For a function that is called where it is written, V8's error messages print `(intermediate value)` once
 * for each statement of the body. So the rewritten body must have as many statements as the author's body: a block combines the injected
 * statements if they are too many, and statements `0;` are added if they are too few.
 */
function wrapBody(tree: Tree, { fn, isSync, hasResult }: Frame): readonly [before: string, after: string] {
  const own = tree.list(fn.body, slot.first).filter((statement) => isVisited(tree, statement)).length;
  // Number of injected statements: the declaration and the `try`, and in sync functions the error check and the `return`.
  const injected = isSync ? (hasResult ? 4 : 3) : 2;
  if (own < injected) return ['{', `}${fn.isCalled ? '0;'.repeat(Math.max(0, own - 1)) : ''}`];
  return ['', fn.isCalled ? '0;'.repeat(own - injected) : ''];
}

function emitResult(analysis: Analysis, fn: FunctionModel, returned: Result, edits: Edits): void {
  if (!isSync(fn)) {
    emitReturned(analysis, fn, returned, edits);
    return;
  }
  // Comments the `return` out, and leaves the body with a `break` after the value.
  const { start, end, depth } = returned;
  const word = start + 'return'.length;
  edits.open(start, depth, RETURN_BEGINS);
  if (end > word) edits.open(word, depth, RETURN_GOES_ON);
  emitReturned(analysis, fn, returned, edits);
  const before = end > word ? '' : RETURN_GOES_ON;
  const semicolon = analysis.tree.source[end - 1] === ';' ? '' : ';';
  edits.close(end, depth, `${before}${semicolon}${fn.injected.breaks}}`);
}

function emitReturned(
  analysis: Analysis,
  fn: FunctionModel,
  { argument, depth, end: ends, functionsBefore }: Result,
  edits: Edits,
): void {
  if (argument === 0) return;
  const { tree } = analysis;
  const holds = analysis.holdsFunction(functionsBefore, ends);
  const wrap = needsParentheses(tree, argument);
  const [before, after] = wrapResult(tree, fn, argument, holds);
  edits.open(tree.start(argument), depth, before + (wrap ? '(0,' : ''));
  const end = (wrap ? ')' : '') + after;
  if (end !== '') edits.close(tree.end(argument), depth, end);
}

/**
 * Returns the text around a returned value. In async functions, the text also informs the function's step, because the function still
 * waits: an async generator awaits the returned value, and a promise that an async function returns is awaited, too.
 */
function wrapResult(
  tree: Tree,
  fn: FunctionModel,
  argument: Node,
  holdsFunction: boolean,
): readonly [before: string, after: string] {
  const { returned, returnedUnnamed, suspend, result, frame } = fn.injected;
  const before = holdsFunction ? returnedUnnamed : returned;
  if (!fn.isAsync) return [before, ''];
  if (fn.isGenerator) return [`(${before}`, `,${suspend},${result})`];
  if (isPlainlySettled(tree, argument)) return [before, ''];
  return [` (${before}`, `,${frame}?${frame}.handOver(${result}):${result})`];
}

/** True if the syntax shows that the expression's value is not a promise, so that nothing is awaited. */
function isPlainlySettled(tree: Tree, expression: Node): boolean {
  switch (tree.kind(expression)) {
    case kind.AwaitExpression:
    case kind.ArrayExpression:
    case kind.ArrowFunctionExpression:
    case kind.BinaryExpression:
    case kind.FunctionExpression:
    case kind.Literal:
    case kind.StringLiteral:
    case kind.TemplateLiteral:
    case kind.UnaryExpression:
    case kind.UpdateExpression:
      return true;
    default:
      return false;
  }
}

function takesArguments(fn: FunctionModel): boolean {
  return (
    fn.usesArguments &&
    !fn.isArrow &&
    fn.machine === null &&
    !fn.bindings.some(({ name }) => name === 'arguments')
  );
}
