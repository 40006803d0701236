import type { InstrumentedSite } from '../record/open-step.ts';
import type { Analysis } from './analysis.ts';
import type { Deadline } from './deadline.ts';
import { Edits } from './edits.ts';
import { emitBindings, mirrorBindings, namesOf } from './emit-bindings.ts';
import { emitAsyncLoop, emitSuspension, hooksOf } from './emit-suspensions.ts';
import { instrumentedFrom } from './function-model.ts';
import { aroundDisposal, broughtSite, epilogue, type Frame, prologue } from './injected.ts';
import { kind, slot } from './layout.ts';
import type { FunctionModel, Result } from './model.ts';
import { arrowBodyStart, needsParentheses } from './patterns.ts';
import { isVisited } from './printed-text.ts';
import type { Node, Tree } from './tree.ts';

export interface Emission {
  readonly edits: Edits;
  readonly sites: readonly InstrumentedSite[];
}

/** Where in the author's source something stands. */
export type Locate = (offset: number) => { readonly file: string; readonly line: number };

/** Decides all text to be put in. Sites get ids from `firstSite` on, in order; null where the code brings its sites along. */
export function emit(
  analysis: Analysis,
  firstSite: number | null,
  locate: Locate,
  deadline: Deadline,
): Emission {
  const edits = new Edits(analysis.statements);
  mirrorBindings(analysis);
  const temporaries = emitBindings(analysis, edits);
  const sites: InstrumentedSite[] = [];
  for (const fn of analysis.functions) {
    if (fn.skipped !== null) continue;
    deadline.check();
    const site = firstSite === null ? broughtSite(sites.length) : `${firstSite + sites.length}`;
    sites.push(emitFunction(analysis, fn, site, edits, locate, temporaries.has(fn)));
  }
  return { edits, sites };
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
  const place = locate(tree.start(fn.node));
  const named = namesOf(fn, (offset) => locate(offset).line);
  const isExpression = tree.kind(fn.body) !== kind.BlockStatement;
  const hasResult = isExpression || fn.results.some((result) => result.argument !== 0);
  const inputs = takesArguments(fn) ? [...fn.parameters, 'arguments'] : fn.parameters;
  const frame: Frame = {
    fn,
    site,
    outer: instrumentedFrom(fn.outer),
    inputs: inputs.join(','),
    values: named.expressions,
    mirrors: named.mirrors,
    self: !fn.usesThis || (fn.isArrow && !fn.isField) ? null : fn.isDerived ? fn.injected.self : 'this',
    hasResult,
    needsTemporary: hasTemporary,
    hooks: hooksOf(fn),
  };
  if (isExpression) emitExpressionBody(analysis, frame, edits);
  else emitBlockBody(tree, frame, edits);
  fn.suspensions.forEach((suspension) => {
    emitSuspension(analysis, fn, suspension, edits);
  });
  fn.results.forEach((result) => {
    emitResult(analysis, fn, result, edits);
  });
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
    const [before, after] = aroundDisposal(fn, index);
    edits.open(start, depth, before);
    edits.close(end, depth, after);
  });
  return {
    name: fn.name,
    file: place.file,
    line: place.line,
    kind: fn.isAsync ? (fn.isGenerator ? 'async-generator' : 'async') : fn.isGenerator ? 'generator' : 'sync',
    inputs,
    bindings: named.names,
    parameters: named.parameters,
    returns: hasResult,
  };
}

function emitExpressionBody(analysis: Analysis, frame: Frame, edits: Edits): void {
  const { tree } = analysis;
  const { fn } = frame;
  const wrap = needsParentheses(tree, fn.body);
  const holds = analysis.holdsFunction(fn.functionsBefore, tree.end(fn.body));
  const begin = `{{${prologue(frame)}return${holds ? fn.injected.returnedUnnamed : fn.injected.returned}`;
  edits.open(arrowBodyStart(tree, fn.node), fn.depth, wrap ? `${begin}(0,` : begin);
  edits.close(tree.end(fn.node), fn.depth, `${wrap ? ')' : ''}${epilogue(frame)}}}`);
}

function emitBlockBody(tree: Tree, frame: Frame, edits: Edits): void {
  const { fn } = frame;
  const hoisted = fn.hoisted
    .map(({ name, mirror }) => (mirror === null ? '' : `${mirror}=${name};`))
    .join('');
  const start = afterDirectives(tree, fn.body, tree.start(fn.body) + 1);
  // A directive that ends by its line alone would otherwise run on into what follows.
  const directive = start > tree.start(fn.body) + 1 ? ';' : '';
  const [opening, closing] = aroundBody(tree, fn);
  const before = directive + opening + prologue(frame) + hoisted;
  const after = epilogue(frame) + closing;
  const end = tree.end(fn.body) - 1;
  if (start === end) edits.open(start, fn.depth, before + after);
  else {
    edits.open(start, fn.depth, before);
    edits.close(end, fn.depth, after);
  }
}

/** The injected statements around a body: our declaration, and the `try`. */
const OWN_STATEMENTS = 2;

/**
 * Text that makes a body have as many statements as its author wrote: V8 prints a function that is called where it stands as `(intermediate value)` once for
 * each of them, in what it says of the result.
 */
function aroundBody(tree: Tree, fn: FunctionModel): readonly [before: string, after: string] {
  const own = tree.list(fn.body, slot.first).filter((statement) => isVisited(tree, statement)).length;
  if (own < OWN_STATEMENTS) return ['{', '}'];
  return ['', fn.isCalled ? '0;'.repeat(own - OWN_STATEMENTS) : ''];
}

/** Where the first statement of a body or program may stand; `start` where there are no directives. */
export function afterDirectives(tree: Tree, body: Node, start: number): number {
  let end = start;
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count; index++) {
    const statement = tree.item(body, slot.first, index);
    if (tree.kind(statement) !== kind.Directive) break;
    end = tree.end(statement);
  }
  return end;
}

function emitResult(
  analysis: Analysis,
  fn: FunctionModel,
  { argument, depth, end: ends, functionsBefore }: Result,
  edits: Edits,
): void {
  if (argument === 0) return;
  const { tree } = analysis;
  const { result, suspend } = fn.injected;
  const holds = analysis.holdsFunction(functionsBefore, ends);
  const returned = holds ? fn.injected.returnedUnnamed : fn.injected.returned;
  const wrap = needsParentheses(tree, argument);
  // An async generator waits for what it returns.
  const waits = fn.isAsync && fn.isGenerator;
  edits.open(tree.start(argument), depth, `${waits ? '(' : ''}${returned}${wrap ? '(0,' : ''}`);
  const end = (wrap ? ')' : '') + (waits ? `,${suspend},${result})` : '');
  if (end !== '') edits.close(tree.end(argument), depth, end);
}

function takesArguments(fn: FunctionModel): boolean {
  return fn.usesArguments && !fn.isArrow && !fn.bindings.some(({ name }) => name === 'arguments');
}
