import { type FoldEntry, foldRepeats, type StepEntry } from './fold-repeats.ts';
import type { StepForest, StepNode } from './step-forest.ts';

/** One line of the step tree. */
export interface StepRow {
  readonly entry: StepEntry;
  /** 1 at the top. */
  readonly level: number;
  /** Undefined where there is nothing below. */
  readonly open: boolean | undefined;
  readonly place: number;
  readonly siblings: number;
}

/** Up to so many steps, everything is open from the start; bundles never are. */
const OPEN_ALL_UP_TO = 300;
const OPEN_DEPTH = 2;

/** Whether an entry is open before anybody has touched it. */
function isOpenAtFirst(entry: StepEntry, forest: StepForest): boolean {
  if (entry.kind === 'fold') return false;
  if (forest.all.length <= OPEN_ALL_UP_TO) return true;
  return entry.node.onFailingPath || entry.node.depth < OPEN_DEPTH;
}

/** The lines to draw. `toggled` holds the keys of entries whose first state was changed. */
export function stepRows(forest: StepForest, toggled: ReadonlySet<string>): StepRow[] {
  const rows: StepRow[] = [];
  // A stack of what is still to be drawn, since recursion in the host makes trees deeper than the engine's own.
  const pending = linesOf(foldRepeats(forest.roots), 1);
  for (let line = pending.pop(); line !== undefined; line = pending.pop()) {
    const below = entriesBelow(line.entry);
    const open = below.length === 0 ? undefined : isOpen(line.entry, forest, toggled);
    rows.push({ ...line, open });
    if (open === true) for (const next of linesOf(below, line.level + 1)) pending.push(next);
  }
  return rows;
}

type PendingLine = Omit<StepRow, 'open'>;

/** Siblings, last first. */
function linesOf(entries: readonly StepEntry[], level: number): PendingLine[] {
  return entries
    .map((entry, index) => ({ entry, level, place: index + 1, siblings: entries.length }))
    .reverse();
}

function entriesBelow(entry: StepEntry): StepEntry[] {
  if (entry.kind === 'step') return foldRepeats(entry.node.children);
  return entry.nodes.map((node) => ({ kind: 'step', key: node.key, node }));
}

function isOpen(entry: StepEntry, forest: StepForest, toggled: ReadonlySet<string>): boolean {
  return isOpenAtFirst(entry, forest) !== toggled.has(entry.key);
}

/** `toggled` changed so that the step's line is to be seen: all above it open, its bundle too. */
export function revealStep(
  forest: StepForest,
  node: StepNode,
  toggled: ReadonlySet<string>,
): ReadonlySet<string> {
  const after = new Set(toggled);
  const open = (entry: StepEntry) => {
    if (isOpen(entry, forest, after)) return;
    if (!after.delete(entry.key)) after.add(entry.key);
  };
  for (let at: StepNode | undefined = node; at !== undefined; at = at.parent) {
    const bundle = bundleOf(forest, at);
    if (bundle !== undefined) open(bundle);
    if (at.parent !== undefined) open({ kind: 'step', key: at.parent.key, node: at.parent });
  }
  return after.size === toggled.size && [...after].every((key) => toggled.has(key)) ? toggled : after;
}

function bundleOf(forest: StepForest, node: StepNode): FoldEntry | undefined {
  const siblings = node.parent?.children ?? forest.roots;
  return foldRepeats(siblings).find(
    (entry): entry is FoldEntry => entry.kind === 'fold' && entry.nodes.includes(node),
  );
}

/** Where the line is that holds the given one. -1 at the top. */
export function rowAbove(rows: readonly StepRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let before = index - 1; before >= 0; before -= 1) {
    if ((rows[before]?.level ?? level) < level) return before;
  }
  return -1;
}
