import { each, runWithoutPauses, type Work } from '../../work/work.ts';
import type { StepOutcome } from '../step-outcome.ts';
import { identifyCall } from './call-identity.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** A row or card: a step, or a bundle of equal steps. */
export type StepEntry = SingleEntry | BundleEntry;

export interface SingleEntry {
  readonly kind: 'step';
  readonly key: string;
  readonly node: StepNode;
}

/** Calls of the same function by the same caller, drawn as one entry. Durations are in milliseconds. */
export interface BundleEntry {
  readonly kind: 'bundle';
  readonly key: string;
  /** The bundle's steps in start order. */
  readonly nodes: readonly StepNode[];
  readonly first: StepNode;
  /** The total number of calls. Larger than the number of members if a member represents several calls. */
  readonly calls: number;
  readonly sumMs: number;
  readonly minMs: number;
  /** The median duration of the calls that have a step of their own. */
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Minimum number of calls in a row that become a bundle. */
const MIN_RUN = 3;
/**
 * At least this many calls become a bundle even if other calls are between them, as in a loop that calls several functions per iteration.
 */
const MIN_SCATTERED = 8;

/** The prefix that distinguishes a bundle's key from a step's key. */
const BUNDLE_MARK = '×';

/**
 * Bundles repeated calls among siblings: same name, type and position in the code. A bundle takes the position of its first member.
 * Steps on the path to a failure are never bundled, so that no such step is hidden.
 */
export function bundleRepeats(siblings: readonly StepNode[]): readonly StepEntry[] {
  return known.get(siblings) ?? runWithoutPauses(bundleRepeatsWork(siblings));
}

/**
 * Caches the result, since all views of a trace bundle the same siblings each time an entry is opened, and 100,000 siblings take longer
 * than a frame.
 */
const known = new WeakMap<readonly StepNode[], readonly StepEntry[]>();

/** Like {@link bundleRepeats}, but can be paused. */
export function* bundleRepeatsWork(siblings: readonly StepNode[]): Work<readonly StepEntry[]> {
  const entries = siblings.length < MIN_RUN ? siblings.map(toEntry) : yield* gatherBundles(siblings);
  known.set(siblings, entries);
  return entries;
}

function* gatherBundles(siblings: readonly StepNode[]): Work<StepEntry[]> {
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
  return bundles.flatMap((nodes) => (nodes.length >= MIN_RUN ? [toBundle(nodes)] : nodes.map(toEntry)));
}

/** Wraps a step as an entry. */
export function toEntry(node: StepNode): SingleEntry {
  return { kind: 'step', key: node.key, node };
}

/** Returns the key of the bundle that begins with a step. */
export function bundleKey({ key }: StepNode): string {
  return BUNDLE_MARK + key;
}

function toBundle(nodes: readonly StepNode[]): StepEntry {
  const [first] = nodes;
  if (first === undefined) throw new Error('a bundle has no members');
  const durations = nodes
    .filter(({ step }) => step.repeat === undefined)
    .map(({ step }) => step.duration)
    .sort((a, b) => a - b);
  const repeats = nodes.flatMap(({ step }) => (step.repeat === undefined ? [] : [step.repeat]));
  return {
    kind: 'bundle',
    key: bundleKey(first),
    nodes,
    first,
    calls: durations.length + repeats.reduce((sum, { count }) => sum + count, 0),
    sumMs: nodes.reduce((sum, { step }) => sum + step.duration, 0),
    // Spreading the durations into arguments would overflow the stack for a large bundle.
    minMs: repeats.reduce((least, { minMs }) => Math.min(least, minMs), durations[0] ?? Infinity),
    medianMs: durations[Math.floor(durations.length / 2)] ?? 0,
    maxMs: repeats.reduce((most, { maxMs }) => Math.max(most, maxMs), durations.at(-1) ?? 0),
  };
}

/** Returns the number of calls of an entry: 1, except for a bundle or a step that represents several calls. */
export function countCalls(entry: StepEntry): number {
  return entry.kind === 'bundle' ? entry.calls : (entry.node.step.repeat?.count ?? 1);
}

/** Returns the entry's step, or the first step of its bundle. */
export function findFirstNode(entry: StepEntry): StepNode {
  return entry.kind === 'step' ? entry.node : entry.first;
}

/** Returns how the step of an entry ended; `ended` for a bundle, because no step of a bundle threw. */
export function findEntryOutcome(entry: StepEntry): StepOutcome {
  return entry.kind === 'step' ? entry.node.outcome : 'ended';
}

/** Returns the number of descendants of an entry. For a bundle, the members are included. */
export function countStepsBelow(entry: StepEntry): number {
  if (entry.kind === 'step') return entry.node.below;
  return entry.nodes.reduce((sum, node) => sum + 1 + node.below, 0);
}

/** Returns the steps of an entry in start order. */
export function listNodes(entry: StepEntry): readonly StepNode[] {
  return entry.kind === 'step' ? [entry.node] : entry.nodes;
}

/** Finds the bundle with this key; undefined if no bundle has the key. */
export function findBundleByKey(forest: StepForest, key: string): BundleEntry | undefined {
  if (!key.startsWith(BUNDLE_MARK)) return undefined;
  const first = forest.byKey.get(key.slice(BUNDLE_MARK.length));
  if (first === undefined) return undefined;
  return bundleRepeats(first.parent?.children ?? forest.roots).find(
    (entry): entry is BundleEntry => entry.kind === 'bundle' && entry.key === key,
  );
}

/** True if the entry contains a step that is to be marked. */
export function hasMarked(entry: StepEntry, marked: ReadonlySet<string>): boolean {
  return marked.size > 0 && listNodes(entry).some(({ step }) => marked.has(step.stepId));
}
