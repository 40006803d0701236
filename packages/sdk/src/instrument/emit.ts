import type { InstrumentedSite } from '../record/open-step.ts';
import type { Analysis } from './analysis.ts';
import { type AstNode, child, children, takesName, text } from './ast.ts';
import { Edits } from './edits.ts';
import { emitBindings, mirrorBindings, namesOf } from './emit-bindings.ts';
import { instrumentedFrom } from './function-model.ts';
import {
  broughtSite,
  call,
  epilogue,
  type Frame,
  frameOf,
  prologue,
  resultOf,
  selfOf,
  temporaryOf,
} from './injected.ts';
import type { FunctionModel, Result, Suspension } from './model.ts';

export interface Emission {
  readonly edits: Edits;
  readonly sites: readonly InstrumentedSite[];
}

/** Where in the author's source something stands. */
export type Locate = (offset: number) => { readonly file: string; readonly line: number };

/** Decides all text to be put in. Sites get ids from `firstSite` on, in order; null where the code brings its sites along. */
export function emit(analysis: Analysis, firstSite: number | null, locate: Locate): Emission {
  const edits = new Edits();
  for (const start of analysis.statements) edits.guard(start);
  mirrorBindings(analysis.functions);
  const temporaries = emitBindings(analysis, edits);
  const sites: InstrumentedSite[] = [];
  for (const fn of analysis.functions) {
    if (fn.skipped !== null) continue;
    const site = firstSite === null ? broughtSite(sites.length) : `${firstSite + sites.length}`;
    sites.push(emitFunction(fn, site, edits, locate, temporaries.has(fn)));
  }
  return { edits, sites };
}

function emitFunction(
  fn: FunctionModel,
  site: string,
  edits: Edits,
  locate: Locate,
  hasTemporary: boolean,
): InstrumentedSite {
  const place = locate(fn.node.start);
  const named = namesOf(fn, (offset) => locate(offset).line);
  const body = child(fn.node, 'body');
  const isExpression = body !== null && body.type !== 'BlockStatement';
  const hasResult = isExpression || fn.results.some((result) => result.argument !== null);
  const inputs = [...fn.parameters, ...(takesArguments(fn) ? ['arguments'] : [])];
  const frame: Frame = {
    fn,
    site,
    outer: instrumentedFrom(fn.outer),
    inputs,
    values: named.expressions,
    mirrors: named.mirrors,
    self: !fn.usesThis || (fn.isArrow && !fn.isField) ? 'void 0' : fn.isDerived ? selfOf(fn) : 'this',
    hasResult,
    needsTemporary: hasTemporary || fn.suspensions.length > 0 || fn.asyncLoops.length > 0,
  };
  if (body !== null) {
    if (isExpression) emitExpressionBody(frame, body, edits);
    else emitBlockBody(frame, body, edits);
  }
  for (const suspension of fn.suspensions) emitSuspension(fn, suspension, edits);
  for (const result of fn.results) emitResult(fn, result, edits);
  for (const block of fn.recoveries) edits.open(block.start + 1, block.depth, `${call(fn, 'recover')};`);
  for (const parent of fn.superCalls) {
    if (!fn.isDerived) continue;
    edits.open(parent.start, parent.depth, `${parent.isStatement ? '' : '('}${selfOf(fn)}=`);
    if (!parent.isStatement) edits.close(parent.end, parent.depth, ')');
  }
  for (const loop of fn.asyncLoops) {
    const [f, t] = [frameOf(fn), temporaryOf(fn)];
    edits.open(loop.right.start, loop.depth, `(${t}=`);
    edits.close(loop.right.end, loop.depth, `,${f}!==null?${f}.iterate(${t}):${t})`);
    if (!loop.inList) edits.open(loop.start, loop.depth, '{');
    edits.close(loop.end, loop.depth, `;${call(fn, 'resume')};${loop.inList ? '' : '}'}`);
  }
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

function emitExpressionBody(frame: Frame, body: AstNode, edits: Edits): void {
  const { fn } = frame;
  const comma = takesName(body) ? '0,' : '';
  edits.open(body.start, fn.depth, `{${prologue(frame)}return ${resultOf(fn)}=(${comma}`);
  edits.close(body.end, fn.depth, `)${epilogue(frame)}}`);
}

function emitBlockBody(frame: Frame, body: AstNode, edits: Edits): void {
  const { fn } = frame;
  const hoisted = fn.hoisted
    .map(({ name, scope }) => ({ name, mirror: scope.bindings.get(name)?.mirror }))
    .flatMap(({ name, mirror }) => (mirror ? [`${mirror}=${name};`] : []))
    .join('');
  const start = afterDirectives(body, body.start + 1);
  // A directive that ends by its line alone would otherwise run on into what follows.
  const before = `${start > body.start + 1 ? ';' : ''}${prologue(frame)}${hoisted}`;
  const after = epilogue(frame);
  const end = body.end - 1;
  if (start === end) edits.open(start, fn.depth, before + after);
  else {
    edits.open(start, fn.depth, before);
    edits.close(end, fn.depth, after);
  }
}

/** Where the first statement of a body or program may stand; `start` where there are no directives. */
export function afterDirectives(body: AstNode, start: number): number {
  let end = start;
  for (const statement of children(body, 'body')) {
    if (text(statement, 'directive') === null) break;
    end = statement.end;
  }
  return end;
}

function emitSuspension(
  fn: FunctionModel,
  { argument, isYield, start, end, depth, isDelegate }: Suspension,
  edits: Edits,
): void {
  const t = temporaryOf(fn);
  const f = frameOf(fn);
  const before = call(fn, isYield ? 'pause' : 'suspend');
  const after = call(fn, isYield ? 'proceed' : 'resume');
  if (argument === null) {
    edits.open(start, depth, `(${before},${t}=`);
  } else {
    edits.open(start, depth, `(${t}=`);
    edits.open(argument.start, depth + 0.5, `(${t}=${takesName(argument) ? '(0,' : ''}`);
    const closing = takesName(argument) ? ')' : '';
    const handOver = isDelegate ? `,${f}!==null?${f}.delegate(${t}):${t})` : `,${before},${t})`;
    edits.close(argument.end, depth + 0.5, closing + handOver);
  }
  edits.close(end, depth, `,${after},${t})`);
}

function emitResult(fn: FunctionModel, { argument, depth }: Result, edits: Edits): void {
  const r = resultOf(fn);
  if (argument === null) return;
  const name = takesName(argument);
  // An async generator waits for what it returns.
  const waits = fn.isAsync && fn.isGenerator;
  edits.open(argument.start, depth, `${waits ? '(' : ''}${r}=(${name ? '0,' : ''}`);
  edits.close(argument.end, depth, waits ? `),${call(fn, 'suspend')},${r})` : ')');
}

function takesArguments(fn: FunctionModel): boolean {
  return fn.usesArguments && !fn.isArrow && !fn.bindings.some(({ name }) => name === 'arguments');
}
