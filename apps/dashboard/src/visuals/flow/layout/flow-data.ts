import {
  bundleRepeats,
  countStepsBelow,
  findFirstNode,
  type StepEntry,
} from '../../steps/analysis/bundle-repeats.ts';
import type { StepForest, StepNode } from '../../steps/analysis/step-forest.ts';
import { hasCaught } from '../../steps/has-caught.ts';
import type { ThrownAs } from '../../steps/step-outcome.ts';
import type { ErrorPath, FlowBlock, FlowEdge, FlowFolding, FlowGraphData, FlowNode } from '../flow-types.ts';
import { groupConcurrent } from './group-concurrent.ts';

export const NO_FOLDING: FlowFolding = {
  rule: 'readable',
  toggled: new Set(),
  whole: new Set(),
  opened: new Set(),
  shown: new Set(),
};

/** The key that stands for the parent of the top-level steps. {@link FlowFolding.whole} contains it if all top-level steps are drawn. */
const TOP = 'root';

/** At first, the levels that fit into this many cards are open, and also the paths to the first failures. */
export const CARDS_AT_FIRST = 120;
/** The paths to at most this many failures are open at first. */
const FAILURES_AT_FIRST = 10;
/** Maximum number of siblings that are drawn; one card represents the rest. */
export const SIBLINGS_AT_FIRST = 60;
/** Deeper levels stay closed: a graph with more levels is unreadable, and the recursion that builds it would be too deep. */
const MAX_DEPTH = 400;

/** Turns a trace's steps into cards, arrows and their nesting. The layout computes positions later. */
export function buildFlow(forest: StepForest, folding: FlowFolding): FlowGraphData {
  const build: Build = {
    nodes: new Map(),
    folding,
    thrownAs: forest.thrownAs,
    handledPaths: forest.thrownAs === 'handled' ? findHandledPaths(forest) : undefined,
    openDepth: findOpenDepth(forest),
    toFailures: findWaysToFailures(forest),
  };
  const root = addSeries(build, TOP, bundleRepeats(forest.roots), { level: 0, indent: 0, followed: false });
  const edges: FlowEdge[] = [];
  connect(build, edges, root, undefined);
  return { nodes: [...build.nodes.values()], edges, root };
}

interface Build {
  readonly nodes: Map<string, FlowNode>;
  readonly folding: FlowFolding;
  readonly openDepth: number;
  readonly toFailures: ReadonlySet<StepNode>;
  readonly thrownAs: ThrownAs;
  /**
   * For a successful request: the steps on the way of a handled error, from the step that threw to the step that caught the error.
   * Undefined for a failed request: its errors are shown on the way up to the top-level step.
   */
  readonly handledPaths: ReadonlySet<StepNode> | undefined;
}

interface Place {
  /** The depth in the tree, counting bundles. */
  readonly level: number;
  /** The indentation within the branch. */
  readonly indent: number;
  /** True if another card follows in this series or in an enclosing series. */
  readonly followed: boolean;
}

function addSeries(build: Build, owner: string, entries: readonly StepEntry[], place: Place): FlowBlock {
  const { shown, hidden } = limitSiblings(build, owner, entries);
  const groups = groupConcurrent(shown);
  const blocks: FlowBlock[] = [];
  for (const [index, group] of groups.entries()) {
    const followed = place.followed || index < groups.length - 1 || hidden > 0;
    const [only] = group;
    if (group.length === 1 && only !== undefined) {
      blocks.push(...addEntry(build, only, { ...place, followed }));
    } else {
      blocks.push(addParallel(build, group, { ...place, followed }));
    }
  }
  if (hidden > 0) {
    const id = `more ${owner}`;
    build.nodes.set(id, { kind: 'more', id, owner, count: hidden, errorPath: undefined });
    blocks.push({ kind: 'card', id, indent: place.indent });
  }
  return { kind: 'series', blocks };
}

function addEntry(build: Build, entry: StepEntry, place: Place): FlowBlock[] {
  const below = listEntriesBelow(entry);
  const open = below.length === 0 ? undefined : isOpen(build, entry, place.level);
  build.nodes.set(entry.key, {
    kind: 'entry',
    id: entry.key,
    entry,
    open,
    below: countStepsBelow(entry),
    errorPath: findErrorPath(build, [entry]),
  });
  const card: FlowBlock = { kind: 'card', id: entry.key, indent: place.indent };
  if (open !== true) return [card];
  const under = { ...place, level: place.level + 1, indent: place.indent + 1 };
  return [card, addSeries(build, entry.key, below, under)];
}

function addParallel(build: Build, group: readonly StepEntry[], place: Place): FlowBlock {
  const key = group[0]?.key ?? '';
  const errorPath = findErrorPath(build, group);
  const fork = `fork ${key}`;
  const join = place.followed ? `join ${key}` : undefined;
  build.nodes.set(fork, { kind: 'fork', id: fork, count: group.length, errorPath });
  if (join !== undefined) {
    build.nodes.set(join, { kind: 'join', id: join, count: group.length, errorPath: undefined });
  }
  const branches = group.map(
    (entry): FlowBlock => ({
      kind: 'series',
      blocks: addEntry(build, entry, { ...place, indent: 0, followed: place.followed }),
    }),
  );
  return { kind: 'parallel', fork, join, indent: place.indent, branches };
}

/** Adds the arrows of a block; the first arrow starts at the node `from`. Returns the node from which the next arrow starts. */
function connect(
  build: Build,
  edges: FlowEdge[],
  block: FlowBlock,
  from: string | undefined,
): string | undefined {
  switch (block.kind) {
    case 'card':
      addEdge(build, edges, from, block.id);
      return block.id;
    case 'series':
      return block.blocks.reduce((last, next) => connect(build, edges, next, last), from);
    case 'parallel': {
      addEdge(build, edges, from, block.fork);
      for (const branch of block.branches) {
        const tail = connect(build, edges, branch, block.fork);
        if (block.join !== undefined) addEdge(build, edges, tail, block.join);
      }
      return block.join;
    }
  }
}

function addEdge(build: Build, edges: FlowEdge[], source: string | undefined, target: string): void {
  if (source === undefined) return;
  const errorPath = build.nodes.get(source)?.errorPath && build.nodes.get(target)?.errorPath;
  edges.push({ id: `${source} to ${target}`, source, target, errorPath });
}

function limitSiblings(build: Build, owner: string, entries: readonly StepEntry[]) {
  const { whole, opened, shown: asked } = build.folding;
  if (whole.has(owner) || entries.length <= SIBLINGS_AT_FIRST) return { shown: entries, hidden: 0 };
  const shown = entries.filter(
    (entry, index) =>
      index < SIBLINGS_AT_FIRST ||
      findFirstNode(entry).onFailingPath ||
      opened.has(entry.key) ||
      asked.has(entry.key),
  );
  return { shown, hidden: entries.length - shown.length };
}

function findErrorPath({ thrownAs, handledPaths }: Build, entries: readonly StepEntry[]): ErrorPath {
  const isMarked = entries.some((entry) => {
    const node = findFirstNode(entry);
    return handledPaths === undefined ? node.onFailingPath : handledPaths.has(node);
  });
  return isMarked ? thrownAs : undefined;
}

/** Finds the steps of handled errors in a successful request: from the step that threw up to the step that caught the error. */
function findHandledPaths(forest: StepForest): ReadonlySet<StepNode> {
  const path = new Set<StepNode>();
  for (const node of forest.all) {
    if (node.outcome === 'ended') continue;
    path.add(node);
    // Stops at a caller that threw, because the outer loop also visits this caller.
    for (
      let caller = node.parent;
      caller !== undefined && caller.outcome === 'ended';
      caller = caller.parent
    ) {
      path.add(caller);
      if (hasCaught(caller, node)) break;
    }
  }
  return path;
}

function listEntriesBelow(entry: StepEntry): readonly StepEntry[] {
  if (entry.kind === 'step') return bundleRepeats(entry.node.children);
  return entry.nodes.map((node) => ({ kind: 'step', key: node.key, node }));
}

function isOpen(build: Build, entry: StepEntry, level: number): boolean {
  if (level >= MAX_DEPTH) return false;
  const { toggled, opened } = build.folding;
  return (opened.has(entry.key) || isOpenByRule(build, entry)) !== toggled.has(entry.key);
}

function isOpenByRule({ folding, openDepth, toFailures }: Build, entry: StepEntry): boolean {
  if (folding.rule !== 'readable') return folding.rule === 'all';
  return entry.kind === 'step' && (entry.node.depth < openDepth || toFailures.has(entry.node));
}

/**
 * Finds the steps on the paths to the first `FAILURES_AT_FIRST` failures. These steps are open at first. Opening the paths to all failures
 * of a large trace would draw thousands of cards, because opening a step also draws all its other children.
 */
function findWaysToFailures(forest: StepForest): ReadonlySet<StepNode> {
  const ways = new Set<StepNode>();
  let failures = 0;
  for (const node of forest.all) {
    if (node.outcome === 'ended' || node.children.some((child) => child.onFailingPath)) continue;
    for (let at: StepNode | undefined = node; at !== undefined && !ways.has(at); at = at.parent) ways.add(at);
    failures += 1;
    if (failures === FAILURES_AT_FIRST) break;
  }
  return ways;
}

/** Returns the depth down to which all steps are open at first: the largest depth at which the graph has at most `CARDS_AT_FIRST` cards. */
function findOpenDepth(forest: StepForest): number {
  let cards = 0;
  let level: readonly StepEntry[] = bundleRepeats(forest.roots);
  for (let depth = 0; level.length > 0; depth += 1) {
    cards += level.length;
    if (cards > CARDS_AT_FIRST) return Math.max(0, depth - 1);
    level = level.flatMap((entry) => (entry.kind === 'bundle' ? [] : bundleRepeats(entry.node.children)));
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the entries to open so that the step has a card: its callers and the bundles between them. */
export function findPathTo(forest: StepForest, node: StepNode): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let at: StepNode | undefined = node; at !== undefined; at = at.parent) {
    if (at !== node) keys.add(at.key);
    for (const entry of bundleRepeats(at.parent?.children ?? forest.roots)) {
      if (entry.kind === 'bundle' && entry.nodes.includes(at)) keys.add(entry.key);
    }
  }
  return keys;
}
