import { atOnce, each, type Work } from '../../work/work.ts';
import { identifyCall } from './call-identity.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** One line or card: a step, or a bundle of alike ones. */
export type StepEntry = SingleEntry | FoldEntry;

export interface SingleEntry {
  readonly kind: 'step';
  readonly key: string;
  readonly node: StepNode;
}

/** Calls of the same function by the same caller, drawn as one. Durations in milliseconds. */
export interface FoldEntry {
  readonly kind: 'fold';
  readonly key: string;
  /** In start order. */
  readonly nodes: readonly StepNode[];
  readonly first: StepNode;
  /** Calls in all: a member may itself stand for many. */
  readonly calls: number;
  readonly sumMs: number;
  readonly minMs: number;
  /** The median duration of the calls that are steps of their own. */
  readonly medianMs: number;
  readonly maxMs: number;
}

/** So many in a row are bundled. */
const MIN_RUN = 3;
/** So many are bundled even with others between them: a loop that calls several functions each time round. */
const MIN_SCATTERED = 8;

/** Marks a bundle's key, so that it is told from a step's. */
const FOLD_MARK = '×';

/**
 * Bundles what repeats among siblings: same name, type and place in the code. A bundle stands where its first member would.
 * Steps on the way to a failure stay by themselves, so that none is hidden.
 */
export function foldRepeats(siblings: readonly StepNode[]): readonly StepEntry[] {
  return known.get(siblings) ?? atOnce(foldRepeatsWork(siblings));
}

/** All views of a trace fold the same siblings, each time that something is opened; 100,000 of them take longer than a frame. */
const known = new WeakMap<readonly StepNode[], readonly StepEntry[]>();

/** {@link foldRepeats} in pieces. */
export function* foldRepeatsWork(siblings: readonly StepNode[]): Work<readonly StepEntry[]> {
  const entries = siblings.length < MIN_RUN ? siblings.map(toEntry) : yield* bundled(siblings);
  known.set(siblings, entries);
  return entries;
}

function* bundled(siblings: readonly StepNode[]): Work<StepEntry[]> {
  const identities: (string | undefined)[] = [];
  const counts = new Map<string, number>();
  yield* each(siblings, (node) => {
    const identity = node.onFailingPath ? undefined : identifyCall(node);
    identities.push(identity);
    if (identity !== undefined) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  });
  const bundles: StepNode[][] = [];
  const scattered = new Map<string, StepNode[]>();
  let run: { readonly identity: string; readonly nodes: StepNode[] } | undefined;
  yield* each(siblings, (node, index) => {
    const identity = identities[index];
    const common = identity === undefined ? 0 : (counts.get(identity) ?? 0);
    const open =
      identity === undefined
        ? undefined
        : common >= MIN_SCATTERED
          ? scattered.get(identity)
          : run?.identity === identity
            ? run.nodes
            : undefined;
    if (open !== undefined) {
      open.push(node);
      return;
    }
    const nodes = [node];
    bundles.push(nodes);
    run = identity === undefined ? undefined : { identity, nodes };
    if (identity !== undefined && common >= MIN_SCATTERED) scattered.set(identity, nodes);
  });
  return bundles.flatMap((nodes) => (nodes.length >= MIN_RUN ? [fold(nodes)] : nodes.map(toEntry)));
}

/** A step as an entry by itself. */
export function toEntry(node: StepNode): SingleEntry {
  return { kind: 'step', key: node.key, node };
}

/** The key of the bundle that begins with a step. */
export function foldKey({ key }: StepNode): string {
  return FOLD_MARK + key;
}

function fold(nodes: readonly StepNode[]): StepEntry {
  const [first] = nodes;
  if (first === undefined) throw new Error('a bundle has members');
  const durations = nodes
    .filter(({ step }) => step.repeat === undefined)
    .map(({ step }) => step.duration)
    .sort((a, b) => a - b);
  const repeats = nodes.flatMap(({ step }) => (step.repeat === undefined ? [] : [step.repeat]));
  return {
    kind: 'fold',
    key: foldKey(first),
    nodes,
    first,
    calls: durations.length + repeats.reduce((sum, { count }) => sum + count, 0),
    sumMs: nodes.reduce((sum, { step }) => sum + step.duration, 0),
    // Spread into arguments, as many as a bundle may have would not fit on the stack.
    minMs: repeats.reduce((least, { minMs }) => Math.min(least, minMs), durations[0] ?? Infinity),
    medianMs: durations[Math.floor(durations.length / 2)] ?? 0,
    maxMs: repeats.reduce((most, { maxMs }) => Math.max(most, maxMs), durations.at(-1) ?? 0),
  };
}

/** The number of calls of an entry: one, unless it is a bundle or a step that represents many. */
export function countCalls(entry: StepEntry): number {
  return entry.kind === 'fold' ? entry.calls : (entry.node.step.repeat?.count ?? 1);
}

/** The step that an entry is, or begins with. */
export function firstNode(entry: StepEntry): StepNode {
  return entry.kind === 'step' ? entry.node : entry.first;
}

/** The number of steps below an entry at all levels; a bundle's members count. */
export function stepsBelow(entry: StepEntry): number {
  if (entry.kind === 'step') return entry.node.below;
  return entry.nodes.reduce((sum, node) => sum + 1 + node.below, 0);
}

/** The steps that an entry is made of, in start order. */
export function listNodes(entry: StepEntry): readonly StepNode[] {
  return entry.kind === 'step' ? [entry.node] : entry.nodes;
}

/** The bundle of a key as {@link FoldEntry} has it; undefined where no bundle begins with that step. */
export function findFold(forest: StepForest, key: string): FoldEntry | undefined {
  if (!key.startsWith(FOLD_MARK)) return undefined;
  const first = forest.byKey.get(key.slice(FOLD_MARK.length));
  if (first === undefined) return undefined;
  return foldRepeats(first.parent?.children ?? forest.roots).find(
    (entry): entry is FoldEntry => entry.kind === 'fold' && entry.key === key,
  );
}

/** True for an entry with a step among those to mark. */
export function hasMarked(entry: StepEntry, marked: ReadonlySet<string>): boolean {
  return marked.size > 0 && listNodes(entry).some(({ step }) => marked.has(step.stepId));
}
