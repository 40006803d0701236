import type { Analysis } from './analysis.ts';
import type { Edits } from './edits.ts';
import { instrumentedFrom } from './function-model.ts';
import type { Binding, Birth, FunctionModel, ListStatement, LoopBody, Target, Write } from './model.ts';
import { isFollowed, lookUp, nesting } from './scopes.ts';

/** A function with more is a bundle or a generated table. */
const maxBindings = 200;

/** Gives every binding that is followed a variable that does so. */
export function mirrorBindings({ functions, names }: Analysis): void {
  // A function comes before those inside of it, whose mirrors must not hide its own.
  for (const fn of functions) {
    let index = fn.outer?.nextMirror ?? 0;
    if (fn.skipped === null && !fn.hasEval) {
      const end = Math.min(fn.bindings.length, maxBindings);
      for (let at = 0; at < end; at++) {
        const binding = fn.bindings[at];
        if (binding !== undefined && isFollowed(binding)) binding.mirror = names.mirror(index++);
      }
    }
    fn.nextMirror = index;
  }
}

export interface BindingNames {
  readonly names: readonly string[];
  /** In the same order, with commas between them. */
  readonly expressions: string;
  readonly mirrors: readonly string[];
  readonly parameters: number;
}

/** What a function's bindings are called on a step. Parameters come first; the outermost of a name keeps it, others say their line. */
export function namesOf(fn: FunctionModel, lineOf: (offset: number) => number): BindingNames {
  const names = distinct(fn.parameters);
  const parameters = names.length;
  let expressions = names.join(',');
  const mirrors: string[] = [];
  if (fn.hasEval) return { names, expressions, mirrors, parameters };
  for (const { name, mirror, start } of outermostFirst(fn.bindings)) {
    let shown = name;
    if (names.includes(shown)) shown = `${name}@${lineOf(start)}`;
    for (let copy = 2; names.includes(shown); copy++) shown = `${name}@${lineOf(start)}#${copy}`;
    names.push(shown);
    if (mirror !== null) mirrors.push(mirror);
    expressions += expressions === '' ? (mirror ?? name) : `,${mirror ?? name}`;
  }
  return { names, expressions, mirrors, parameters };
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) === index);
}

function outermostFirst(bindings: readonly Binding[]): readonly Binding[] {
  const locals: Binding[] = [];
  let isSorted = true;
  let last = 0;
  bindings.forEach((binding) => {
    if (binding.kind === 'parameter' || binding.kind === 'outside' || locals.length === maxBindings) return;
    const depth = nesting(binding.scope);
    if (depth < last) isSorted = false;
    last = depth;
    locals.push(binding);
  });
  return isSorted ? locals : locals.sort((a, b) => nesting(a.scope) - nesting(b.scope));
}

/** Keeps mirrors up to date: at birth, at each write, and gone again when their block is left. Returns who needs a temporary. */
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

function emitBirth({ where, bindings, position, depth }: Birth, edits: Edits): void {
  if (where === 'before' || where === 'before, without a name') {
    const mirror = bindings[0]?.mirror ?? null;
    if (mirror !== null) edits.open(position, depth, where === 'before' ? `${mirror}=` : `(${mirror})=`);
    return;
  }
  const text = assignments(bindings);
  if (text === '') return;
  if (where === 'after') edits.close(position, depth, `;${text};`);
  else edits.open(position, depth, `${text};`);
}

function emitWrite(analysis: Analysis, write: Write, edits: Edits, temporaries: Set<FunctionModel>): void {
  const bindings = found(write.targets).filter(({ kind }) => kind !== 'const');
  const text = assignments(bindings);
  if (text === '') return;
  const { form, start, end, depth } = write;
  const holds = analysis.holdsFunction(write.functionsBefore, end);
  switch (form) {
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
    case 'after': {
      const holder = instrumentedFrom(write.fn);
      // Every mirrored binding belongs to an instrumented function around the write, so there is one.
      if (holder === null) break;
      temporaries.add(holder);
      edits.open(start, depth, holds ? holder.injected.keepUnnamed : holder.injected.keep);
      edits.close(end, depth, `,${text},${holder.injected.temporary})`);
    }
  }
}

/** Bindings are gone after the statement that holds their block, and not there yet when a loop's body begins again. */
function emitEnds(analysis: Analysis, edits: Edits): void {
  const ends = new Map<ListStatement, string>();
  const turns = new Map<LoopBody, string>();
  for (const fn of analysis.functions) {
    for (let index = 0; index < fn.bindings.length; index++) {
      const { mirror = null, scope = null } = fn.bindings[index] ?? {};
      if (mirror === null || scope === null) continue;
      for (let statement = scope.around; statement !== null; statement = statement.outer)
        append(ends, statement, fn, mirror);
      for (let { loop } = scope; loop !== null; loop = loop.outer) append(turns, loop, fn, mirror);
    }
  }
  for (const [{ end, depth }, text] of ends) edits.close(end, depth, `;${text};`);
  for (const loop of analysis.loops) {
    const ready = assignments(found(loop.ready));
    const { awaits } = loop;
    const waiting = awaits !== null && awaits.skipped === null ? awaits : null;
    const reset = turns.get(loop);
    if (ready === '' && reset === undefined && waiting === null) continue;
    const begin = [reset, waiting?.injected.resume, ready];
    const opening = `{${begin.filter((part) => part).join(';')};${waiting ? 'try{' : ''}`;
    // Inside whatever else begins or ends with the loop.
    edits.open(analysis.tree.start(loop.node), loop.depth + 0.5, opening);
    edits.close(
      analysis.tree.end(loop.node),
      loop.depth + 0.5,
      waiting ? `}finally{${waiting.injected.suspend}}}` : '}',
    );
  }
}

function append<K>(texts: Map<K, string>, key: K, fn: FunctionModel, mirror: string): void {
  const before = texts.get(key);
  texts.set(key, before === undefined ? `${mirror}=${fn.injected.frame}` : `${mirror}=${before}`);
}

function found(targets: readonly Target[]): Binding[] {
  const bindings: Binding[] = [];
  for (const { name, scope } of targets) {
    const binding = lookUp(name, scope);
    if (binding !== null && binding.mirror !== null) bindings.push(binding);
  }
  return bindings;
}

/** `V=name,W=other`; empty where none has a mirror. */
function assignments(bindings: readonly Binding[]): string {
  let text = '';
  for (const { mirror, name } of bindings) {
    if (mirror !== null) text += text === '' ? `${mirror}=${name}` : `,${mirror}=${name}`;
  }
  return text;
}
