import type { InstrumentedSite } from '../record/open-step.ts';
import type { Analysis } from './analysis.ts';
import { Edits } from './edits.ts';
import { emitBindings, mirrorBindings, namesOf } from './emit-bindings.ts';
import { instrumentedFrom } from './function-model.ts';
import { aroundDisposal, broughtSite, epilogue, type Frame, prologue } from './injected.ts';
import { kind, slot } from './layout.ts';
import type { FunctionModel, Result, Suspension } from './model.ts';
import { arrowBodyStart, needsParentheses } from './patterns.ts';
import type { Node, Tree } from './tree.ts';

export interface Emission {
  readonly edits: Edits;
  readonly sites: readonly InstrumentedSite[];
}

/** Where in the author's source something stands. */
export type Locate = (offset: number) => { readonly file: string; readonly line: number };

/** Decides all text to be put in. Sites get ids from `firstSite` on, in order; null where the code brings its sites along. */
export function emit(analysis: Analysis, firstSite: number | null, locate: Locate): Emission {
  const edits = new Edits(analysis.statements);
  mirrorBindings(analysis);
  const temporaries = emitBindings(analysis, edits);
  const sites: InstrumentedSite[] = [];
  for (const fn of analysis.functions) {
    if (fn.skipped !== null) continue;
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
    needsTemporary: hasTemporary || fn.suspensions.length > 0 || fn.asyncLoops.length > 0,
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
  for (const loop of fn.asyncLoops) {
    const { frame: f, temporary: t, keep, keepUnnamed, resume } = fn.injected;
    const holds = analysis.holdsFunction(loop.functionsBefore, tree.end(loop.right));
    const wrap = holds || needsParentheses(tree, loop.right);
    edits.open(tree.start(loop.right), loop.depth, `${holds ? keepUnnamed : keep}${wrap ? '(0,' : ''}`);
    edits.close(tree.end(loop.right), loop.depth, `${wrap ? ')' : ''},${f}?${f}.iterate(${t}):${t})`);
    if (!loop.inList) edits.open(loop.start, loop.depth, '{');
    edits.close(loop.end, loop.depth, `;${resume};${loop.inList ? '' : '}'}`);
  }
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
  const begin = `{${prologue(frame)}return${holds ? fn.injected.returnedUnnamed : fn.injected.returned}`;
  edits.open(arrowBodyStart(tree, fn.node), fn.depth, wrap ? `${begin}(0,` : begin);
  edits.close(tree.end(fn.node), fn.depth, `${wrap ? ')' : ''}${epilogue(frame)}}`);
}

function emitBlockBody(tree: Tree, frame: Frame, edits: Edits): void {
  const { fn } = frame;
  const hoisted = fn.hoisted
    .map(({ name, mirror }) => (mirror === null ? '' : `${mirror}=${name};`))
    .join('');
  const start = afterDirectives(tree, fn.body, tree.start(fn.body) + 1);
  // A directive that ends by its line alone would otherwise run on into what follows.
  const before = `${start > tree.start(fn.body) + 1 ? ';' : ''}${prologue(frame)}${hoisted}`;
  const after = epilogue(frame);
  const end = tree.end(fn.body) - 1;
  if (start === end) edits.open(start, fn.depth, before + after);
  else {
    edits.open(start, fn.depth, before);
    edits.close(end, fn.depth, after);
  }
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

function emitSuspension(
  analysis: Analysis,
  fn: FunctionModel,
  { argument, isYield, start, end, depth, isDelegate, functionsBefore }: Suspension,
  edits: Edits,
): void {
  const { tree } = analysis;
  const { frame: f, temporary: t, pause, afterAwait, afterYield, beforeAwait, beforeYield } = fn.injected;
  if (argument === 0) {
    edits.open(start, depth, `(${pause},${t}=`);
  } else {
    const holds = analysis.holdsFunction(functionsBefore, end);
    const keep = holds ? fn.injected.keepUnnamed : fn.injected.keep;
    // V8 gives the functions that a call is given no name, but those of what is done with its result.
    const wrap = holds || needsParentheses(tree, argument);
    edits.open(start, depth, keep);
    edits.open(tree.start(argument), depth + 0.5, wrap ? `${keep}(0,` : keep);
    const handOver = isDelegate ? `,${f}?${f}.delegate(${t}):${t})` : isYield ? beforeYield : beforeAwait;
    edits.close(tree.end(argument), depth + 0.5, wrap ? `)${handOver}` : handOver);
  }
  edits.close(end, depth, isYield ? afterYield : afterAwait);
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
