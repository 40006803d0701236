import type { Analysis } from '../analyze/analysis.ts';
import { findInstrumented } from '../analyze/function-model.ts';
import type {
  Binding,
  FirstAssignment,
  FunctionModel,
  ListStatement,
  LoopBody,
  Target,
  Write,
} from '../analyze/model.ts';
import { countNesting, isFollowed, lookUp } from '../analyze/scopes.ts';
import { chooseShownName, isTemporary, listShownParameters } from '../compiled/variables.ts';
import { kind, slot } from '../parsers/layout.ts';
import type { Tree } from '../parsers/tree.ts';
import type { Edits } from './edits.ts';

/**
 * Maximum number of locals shown per function. A function with more locals is a bundle or a generated table; only its outermost locals are
 * shown.
 */
const MAX_LOCALS = 200;

/** Decides which locals each function shows, and assigns a mirror variable to each local that needs one. */
export function mirrorBindings(analysis: Analysis): void {
  const { functions, names } = analysis;
  // A function comes before its nested functions. The nested functions get later numbers, so that their mirrors do not hide the mirrors of
  // the outer function.
  for (const fn of functions) {
    let index = fn.outer?.nextMirror ?? 0;
    if (fn.skipped === null && !fn.hasEval) fn.locals = findLocals(analysis, fn);
    for (const binding of fn.locals) if (isFollowed(binding)) binding.mirror = names.mirror(index++);
    fn.nextMirror = index;
  }
}

function findLocals(analysis: Analysis, fn: FunctionModel): readonly Binding[] {
  const locals: Binding[] = [];
  let isSorted = true;
  let last = 0;
  for (const binding of fn.bindings) {
    if (binding.kind === 'parameter' || isTemporary(analysis, fn, binding)) continue;
    // A compiler made this variable from a parameter.
    if (binding.kind === 'var' && fn.machine !== null && fn.parameters.includes(binding.name)) continue;
    const depth = countNesting(binding.scope);
    if (depth < last) isSorted = false;
    last = depth;
    locals.push(binding);
  }
  if (!isSorted) locals.sort((a, b) => countNesting(a.scope) - countNesting(b.scope));
  return locals.length > MAX_LOCALS ? locals.slice(0, MAX_LOCALS) : locals;
}

export interface BindingNames {
  readonly names: readonly string[];
  /** Expressions for the values, in the order of `names`, separated by commas. */
  readonly expressions: string;
  readonly mirrors: readonly string[];
  readonly parameters: number;
}

/**
 * Lists the names of a function's bindings as a step shows them, parameters first. If several bindings share a name, the outermost binding
 * keeps the name, and each other binding gets its line number after the name.
 */
export function listNames(
  analysis: Analysis,
  fn: FunctionModel,
  lineOf: (offset: number) => number,
): BindingNames {
  const own = selectDistinct(fn.parameters);
  const names = listShownParameters(analysis, fn, own);
  const parameters = names.length;
  let expressions = own.join(',');
  const mirrors: string[] = [];
  for (const { name, mirror, start } of fn.locals) {
    const authors = chooseShownName(analysis, name, start);
    let shown = authors;
    if (names.includes(shown)) shown = `${authors}@${lineOf(start)}`;
    for (let copy = 2; names.includes(shown); copy++) shown = `${authors}@${lineOf(start)}#${copy}`;
    names.push(shown);
    if (mirror !== null) mirrors.push(mirror);
    expressions += expressions === '' ? (mirror ?? name) : `,${mirror ?? name}`;
  }
  return { names, expressions, mirrors, parameters };
}

function selectDistinct(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) === index);
}

/**
 * Inserts the assignments that keep mirrors up to date: at declarations, at writes, and at the start of each loop
 * iteration. Returns the functions that need a temporary variable.
 */
export function emitBindings(analysis: Analysis, edits: Edits): ReadonlySet<FunctionModel> {
  const temporaries = new Set<FunctionModel>();
  analysis.births.forEach((birth) => {
    emitBirth(birth, edits);
  });
  analysis.writes.forEach((write) => {
    emitWrite(analysis, write, edits, temporaries);
  });
  emitEnds(analysis, edits);
  return temporaries;
}

function emitBirth({ where, bindings, position, depth }: FirstAssignment, edits: Edits): void {
  if (where === 'before' || where === 'before, without a name') {
    const mirror = bindings[0]?.mirror ?? null;
    if (mirror !== null) edits.open(position, depth, where === 'before' ? `${mirror}=` : `(${mirror})=`);
    return;
  }
  const text = formatAssignments(bindings);
  if (text === '') return;
  if (where === 'after') edits.close(position, depth, `;${text};`);
  else edits.open(position, depth, `${text};`);
}

function emitWrite(analysis: Analysis, write: Write, edits: Edits, temporaries: Set<FunctionModel>): void {
  const bindings = listBindings(write.targets).filter((binding) => binding.kind !== 'const');
  const text = formatAssignments(bindings);
  if (text === '') return;
  const { form, start, end, depth } = write;
  const holds = analysis.holdsFunction(write.functionsBefore, end);
  switch (form) {
    case 'value':
    case 'assignment':
      edits.open(start, depth, holds ? `(${bindings[0]?.mirror})=` : `${bindings[0]?.mirror}=`);
      break;
    case 'statement':
      edits.close(end, depth, `,${text}`);
      break;
    case 'prefix':
      edits.open(start, depth, `(${bindings[0]?.mirror}=`);
      edits.close(end, depth, ')');
      break;
    case 'postfix': {
      const holder = findInstrumented(write.fn);
      // Every mirrored binding belongs to an instrumented function around the write, so `holder` is never null here.
      if (holder === null) break;
      const { temporary } = holder.injected;
      temporaries.add(holder);
      edits.open(start, depth, `(${temporary}=`);
      edits.close(end, depth, `,${text},${temporary})`);
      break;
    }
    case 'pattern':
      // The pattern's value is passed on in an array instead of a variable: it may be large, and a variable would retain it while the
      // function runs.
      edits.open(start, depth, '[');
      edits.close(end, depth, `,${text}][0]`);
  }
}

/**
 * Inserts the code that clears mirrors after their block, so that they retain no values. In a recorded call, the mirrors are not cleared,
 * because a step shows the last values of the bindings of all blocks. When an iteration begins, the loop's mirrors are reset, because the
 * loop's bindings do not exist yet.
 */
function emitEnds(analysis: Analysis, edits: Edits): void {
  const ends = new Map<ListStatement, string>();
  const turns = new Map<LoopBody, string>();
  for (const fn of analysis.functions) {
    const end = endOfBody(analysis.tree, fn);
    for (const { mirror, scope } of fn.locals) {
      if (mirror === null) continue;
      const { around } = scope;
      if (around !== null && around.end !== end) append(ends, around, mirror, 'null');
      for (let { loop } = scope; loop !== null; loop = loop.outer)
        append(turns, loop, mirror, fn.injected.frame);
    }
  }
  for (const [{ end, depth, frame }, text] of ends) edits.close(end, depth, `;${frame}||(${text});`);
  for (const loop of analysis.loops) {
    const ready = formatAssignments(listBindings(loop.ready));
    const { awaits } = loop;
    const waiting = awaits !== null && awaits.skipped === null ? awaits : null;
    const reset = turns.get(loop);
    if (ready === '' && reset === undefined && waiting === null) continue;
    const begin = [reset, waiting?.injected.resume, ready];
    const opening = `{${begin.filter((part) => part).join(';')};${waiting ? 'try{' : ''}`;
    // The extra half step of depth puts this text inside all other inserted text at the loop's beginning and end.
    edits.open(analysis.tree.start(loop.node), loop.depth + 0.5, opening);
    edits.close(
      analysis.tree.end(loop.node),
      loop.depth + 0.5,
      waiting ? `}finally{${waiting.injected.suspend}}}` : '}',
    );
  }
}

/** Returns where a function's last statement ends; -1 if there is none. There, mirrors need not be cleared, because the function ends. */
function endOfBody(tree: Tree, { body }: FunctionModel): number {
  const count = tree.kind(body) === kind.BlockStatement ? tree.count(body, slot.first) : 0;
  return count === 0 ? -1 : tree.end(tree.item(body, slot.first, count - 1));
}

function append<K>(texts: Map<K, string>, key: K, mirror: string, value: string): void {
  texts.set(key, `${mirror}=${texts.get(key) ?? value}`);
}

function listBindings(targets: readonly Target[]): Binding[] {
  const bindings: Binding[] = [];
  for (const { name, scope } of targets) {
    const binding = lookUp(name, scope);
    if (binding !== null && binding.mirror !== null) bindings.push(binding);
  }
  return bindings;
}

/** Formats assignments to mirrors, such as `V=name,W=other`. Returns an empty string if no binding has a mirror. */
function formatAssignments(bindings: readonly Binding[]): string {
  let text = '';
  for (const { mirror, name } of bindings) {
    if (mirror !== null) text += text === '' ? `${mirror}=${name}` : `,${mirror}=${name}`;
  }
  return text;
}
