import {
  type BundleEntry,
  bundleRepeats,
  findBundleByKey,
  findFirstNode,
  listNodes,
  type SingleEntry,
  type StepEntry,
  toEntry,
} from '../analysis/bundle-repeats.ts';
import { MIN_CHAIN, measureChain } from '../analysis/recursion.ts';
import type { StepForest, StepNode } from '../analysis/step-forest.ts';
import type { StepFilter } from './step-filter.ts';

/** A row of the step tree. */
export interface StepRow {
  readonly entry: StepEntry;
  /** The level; 1 at the top. */
  readonly level: number;
  /** The index of the parent row; -1 at the top level. */
  readonly above: number;
  /** True if the rows of the children are shown. Undefined if the row has no children. */
  readonly open: boolean | undefined;
  readonly place: number;
  readonly siblings: number;
  /** True if the row is shown only because one of its descendants matches. */
  readonly onlyCaller: boolean;
  /** The parts of the step that contain the searched words; undefined if the step's name contains them. */
  readonly foundIn: string | undefined;
  /** For a recursive function, the number of nested calls; otherwise 1. */
  readonly chain: number;
  /** The bundle that the step belongs to. */
  readonly bundle: BundleEntry | undefined;
}

/** The steps to list: all steps of a trace, or the matches of a filter. */
export interface Listed {
  readonly forest: StepForest;
  readonly filter?: StepFilter | undefined;
}

/** If a trace has at most this many steps, everything except bundles and recursions is open at first. */
const OPEN_ALL_UP_TO = 300;
const OPEN_DEPTH = 2;

/** True if an entry is open at first. With a filter, everything is open except a bundle whose members all match. */
function isOpenAtFirst(entry: StepEntry, { forest, filter }: Listed): boolean {
  if (entry.kind === 'bundle')
    return filter !== undefined && !entry.nodes.every((node) => filter.matches.has(node));
  if (filter !== undefined) return true;
  if (isRecursion(entry)) return false;
  if (forest.all.length <= OPEN_ALL_UP_TO) return true;
  return entry.node.onFailingPath || entry.node.depth < OPEN_DEPTH;
}

/** True for the first of at least `MIN_CHAIN` nested calls of one function, unless the recursion contains a failure. */
function isRecursion({ node }: SingleEntry): boolean {
  return !node.onFailingPath && measureChain(node) >= MIN_CHAIN;
}

/** Returns the rows to draw. `toggled` contains the keys of entries that the user opened or closed. */
export function stepRows(listed: Listed, toggled: ReadonlySet<string>): StepRow[] {
  const rows: StepRow[] = [];
  const { filter } = listed;
  // A stack of the rows to add, since recursion in the host application makes trees deeper than the JavaScript stack.
  const pending = listPendingLines(bundleRepeats(listShown(listed.forest.roots, listed)), 1);
  const lastAtLevel = [-1];
  for (let line = pending.pop(); line !== undefined; line = pending.pop()) {
    const { entry } = line;
    const open = hasBelow(entry, listed) ? isOpen(entry, listed, toggled) : undefined;
    const onlyCaller = filter !== undefined && !listNodes(entry).some((node) => filter.matches.has(node));
    const foundIn = filter?.foundIn.get(findFirstNode(entry));
    const chain = open === undefined || entry.kind === 'bundle' ? 1 : measureChain(entry.node);
    lastAtLevel[line.level] = rows.length;
    rows.push({ ...line, above: lastAtLevel[line.level - 1] ?? -1, open, onlyCaller, foundIn, chain });
    if (open !== true) continue;
    const bundle = entry.kind === 'bundle' ? entry : undefined;
    for (const next of listPendingLines(listEntriesBelow(entry, listed), line.level + 1, bundle))
      pending.push(next);
  }
  return rows;
}

type PendingLine = Pick<StepRow, 'entry' | 'level' | 'place' | 'siblings' | 'bundle'>;

/** Returns the rows of siblings, last first, so that the first is on top of the stack. */
function listPendingLines(entries: readonly StepEntry[], level: number, bundle?: BundleEntry): PendingLine[] {
  return entries
    .map((entry, index) => ({ entry, level, place: index + 1, siblings: entries.length, bundle }))
    .reverse();
}

function hasBelow(entry: StepEntry, { filter }: Listed): boolean {
  if (entry.kind === 'bundle') return true;
  const { children } = entry.node;
  return filter === undefined ? children.length > 0 : children.some((node) => filter.shown.has(node));
}

function listEntriesBelow(entry: StepEntry, listed: Listed): readonly StepEntry[] {
  if (entry.kind === 'step') return bundleRepeats(listShown(entry.node.children, listed));
  return entry.nodes.map((node) => ({ kind: 'step', key: node.key, node }));
}

function listShown(siblings: readonly StepNode[], { filter }: Listed): readonly StepNode[] {
  return filter === undefined ? siblings : siblings.filter((node) => filter.shown.has(node));
}

function isOpen(entry: StepEntry, listed: Listed, toggled: ReadonlySet<string>): boolean {
  return isOpenAtFirst(entry, listed) !== toggled.has(entry.key);
}

/** Returns `toggled` changed so that all ancestors of a step or bundle are open. */
export function revealEntry(listed: Listed, key: string, toggled: ReadonlySet<string>): ReadonlySet<string> {
  const { forest, filter } = listed;
  const step = forest.byKey.get(key);
  const node = step ?? findBundleByKey(forest, key)?.first;
  if (node === undefined || filter?.shown.has(node) === false) return toggled;
  const after = new Set(toggled);
  const open = (entry: StepEntry) => {
    if (isOpen(entry, listed, after)) return;
    if (!after.delete(entry.key)) after.add(entry.key);
  };
  for (let at: StepNode | undefined = node; at !== undefined; at = at.parent) {
    // A bundle's own row is visible even while the bundle is closed.
    const bundle = at === node && step === undefined ? undefined : findBundle(listed, at);
    if (bundle !== undefined) open(bundle);
    if (at.parent !== undefined) open(toEntry(at.parent));
  }
  return after.size === toggled.size && [...after].every((key) => toggled.has(key)) ? toggled : after;
}

function findBundle(listed: Listed, node: StepNode): BundleEntry | undefined {
  const siblings = listShown(node.parent?.children ?? listed.forest.roots, listed);
  return bundleRepeats(siblings).find(
    (entry): entry is BundleEntry => entry.kind === 'bundle' && entry.nodes.includes(node),
  );
}
