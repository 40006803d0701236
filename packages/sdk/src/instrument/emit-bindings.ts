import type { Analysis } from './analysis.ts';
import type { Edits } from './edits.ts';
import { instrumentedFrom } from './function-model.ts';
import { call, frameOf, mirrorName, temporaryOf } from './injected.ts';
import type { Binding, FunctionModel, ListStatement, LoopBody, Target, Write } from './model.ts';
import { lookUp, nesting } from './scopes.ts';

/** A function with more is a bundle or a generated table. */
const maxBindings = 200;

/** Gives every block-scoped binding whose values are taken a variable to follow it. */
export function mirrorBindings(functions: readonly FunctionModel[]): void {
  // A function comes before those inside of it, whose mirrors must not hide its own.
  for (const fn of functions) {
    let index = fn.outer?.nextMirror ?? 0;
    if (fn.skipped === null && !fn.hasEval) {
      for (const binding of fn.bindings.slice(0, maxBindings)) {
        const { kind } = binding;
        if (kind !== 'parameter' && kind !== 'var' && kind !== 'outside')
          binding.mirror = mirrorName(index++);
      }
    }
    fn.nextMirror = index;
  }
}

export interface BindingNames {
  readonly names: readonly string[];
  readonly expressions: readonly string[];
  readonly mirrors: readonly string[];
  readonly parameters: number;
}

/** What a function's bindings are called on a step. Parameters come first; the outermost of a name keeps it, others say their line. */
export function namesOf(fn: FunctionModel, lineOf: (offset: number) => number): BindingNames {
  const taken = new Set<string>();
  const names: string[] = [];
  const expressions: string[] = [];
  const mirrors: string[] = [];
  const nameOf = (binding: Binding): string => {
    let name = binding.name;
    if (taken.has(name)) name = `${name}@${lineOf(binding.start)}`;
    for (let copy = 2; taken.has(name); copy++) name = `${binding.name}@${lineOf(binding.start)}#${copy}`;
    taken.add(name);
    return name;
  };
  for (const name of new Set(fn.parameters)) {
    taken.add(name);
    names.push(name);
    expressions.push(name);
  }
  const parameters = names.length;
  if (fn.hasEval) return { names, expressions, mirrors, parameters };
  const locals = fn.bindings
    .slice(0, maxBindings)
    .filter(({ kind }) => kind !== 'parameter' && kind !== 'outside')
    .sort((a, b) => nesting(a.scope) - nesting(b.scope));
  for (const binding of locals) {
    if (binding.mirror !== null) mirrors.push(binding.mirror);
    names.push(nameOf(binding));
    expressions.push(binding.mirror ?? binding.name);
  }
  return { names, expressions, mirrors, parameters };
}

/** Keeps mirrors up to date: at birth, at each write, and gone again when their block is left. Returns who needs a temporary. */
export function emitBindings(analysis: Analysis, edits: Edits): ReadonlySet<FunctionModel> {
  const temporaries = new Set<FunctionModel>();
  for (const { where, targets, position, depth } of analysis.births) {
    const pairs = mirrored(targets);
    if (pairs.length === 0) continue;
    if (where === 'before') edits.open(position, depth, pairs.map(([mirror]) => `${mirror}=`).join(''));
    else if (where === 'after') edits.close(position, depth, `;${assignments(pairs)};`);
    else edits.open(position, depth, `${assignments(pairs)};`);
  }
  for (const write of analysis.writes) emitWrite(write, edits, temporaries);
  emitEnds(analysis, edits);
  return temporaries;
}

function emitWrite(write: Write, edits: Edits, temporaries: Set<FunctionModel>): void {
  const pairs = mirrored(write.targets).filter(([, , binding]) => binding.kind !== 'const');
  const first = pairs[0];
  if (first === undefined) return;
  const { form, start, end, depth } = write;
  switch (form) {
    case 'assignment':
      edits.open(start, depth, `${first[0]}=`);
      break;
    case 'statement':
      edits.close(end, depth, `,${assignments(pairs)}`);
      break;
    case 'prefix':
      edits.open(start, depth, `(${first[0]}=`);
      edits.close(end, depth, ')');
      break;
    case 'after': {
      const holder = instrumentedFrom(write.fn);
      // Every mirrored binding belongs to an instrumented function around the write, so there is one.
      if (holder === null) break;
      temporaries.add(holder);
      edits.open(start, depth, `(${temporaryOf(holder)}=`);
      edits.close(end, depth, `,${assignments(pairs)},${temporaryOf(holder)})`);
    }
  }
}

/** Bindings are gone after the statement that holds their block, and not there yet when a loop's body begins again. */
function emitEnds(analysis: Analysis, edits: Edits): void {
  const ends = new Map<ListStatement, string>();
  const turns = new Map<LoopBody, string>();
  for (const fn of analysis.functions) {
    for (const { mirror, scope } of fn.bindings) {
      if (mirror === null) continue;
      for (let statement = scope.around; statement !== null; statement = statement.outer)
        append(ends, statement, fn, mirror);
      for (let { loop } = scope; loop !== null; loop = loop.outer) append(turns, loop, fn, mirror);
    }
  }
  for (const [{ end, depth }, text] of ends) edits.close(end, depth, `;${text};`);
  for (const loop of analysis.loops) {
    const pairs = mirrored(loop.ready);
    const { awaits } = loop;
    const waiting = awaits !== null && awaits.skipped === null ? awaits : null;
    const reset = turns.get(loop);
    if (pairs.length === 0 && reset === undefined && waiting === null) continue;
    const begin = [reset, waiting && call(waiting, 'resume'), pairs.length > 0 ? assignments(pairs) : null];
    const opening = `{${begin.filter((part) => part).join(';')};${waiting ? 'try{' : ''}`;
    // Inside whatever else begins or ends with the loop.
    edits.open(analysis.tree.start(loop.node), loop.depth + 0.5, opening);
    edits.close(
      analysis.tree.end(loop.node),
      loop.depth + 0.5,
      waiting ? `}finally{${call(waiting, 'suspend')}}}` : '}',
    );
  }
}

function append<K>(texts: Map<K, string>, key: K, fn: FunctionModel, mirror: string): void {
  const before = texts.get(key);
  texts.set(key, before === undefined ? `${mirror}=${frameOf(fn)}` : `${mirror}=${before}`);
}

type Pair = readonly [mirror: string, name: string, binding: Binding];

function mirrored(targets: readonly Target[]): Pair[] {
  const pairs: Pair[] = [];
  for (const { name, scope } of targets) {
    const binding = lookUp(name, scope);
    if (binding !== null && binding.mirror !== null) pairs.push([binding.mirror, name, binding]);
  }
  return pairs;
}

function assignments(pairs: readonly Pair[]): string {
  return pairs.map(([mirror, name]) => `${mirror}=${name}`).join(',');
}
