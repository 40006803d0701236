import type { StepEntry } from '../steps/analysis/fold-repeats.ts';

/** A card of the graph, or the bar at which calls that ran side by side part or meet. */
export type FlowNode = EntryCard | MoreCard | Brace;

export interface EntryCard {
  readonly kind: 'entry';
  readonly id: string;
  readonly entry: StepEntry;
  /** Undefined where there is nothing below. */
  readonly open: boolean | undefined;
  /** Steps that opening would bring, all levels together. */
  readonly below: number;
  readonly onFailingPath: boolean;
}

/** Stands for the siblings that are too many to draw at once. */
export interface MoreCard {
  readonly kind: 'more';
  readonly id: string;
  /** The entry below which they are; see `FlowFolding.whole`. */
  readonly owner: string;
  readonly count: number;
  readonly onFailingPath: false;
}

export interface Brace {
  readonly kind: 'fork' | 'join';
  readonly id: string;
  /** The number of parallel steps. */
  readonly count: number;
  readonly onFailingPath: boolean;
}

/** The input of the layout: cards in sequence, or parallel branches. */
export type FlowBlock =
  | { readonly kind: 'card'; readonly id: string; readonly indent: number }
  | { readonly kind: 'series'; readonly blocks: readonly FlowBlock[] }
  | {
      readonly kind: 'parallel';
      readonly fork: string;
      /** Undefined where nothing follows. */
      readonly join: string | undefined;
      readonly indent: number;
      readonly branches: readonly FlowBlock[];
    };

export interface FlowEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly onFailingPath: boolean;
}

export interface FlowGraphData {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly root: FlowBlock;
}

/** The entries that are open beyond the rule, by key. */
export interface FlowFolding {
  /** The entries open at first: as many as are readable, all, or none. */
  readonly rule: 'readable' | 'all' | 'none';
  /** Opened or closed by hand: the other way round than at first. */
  readonly toggled: ReadonlySet<string>;
  /** Owners whose list of siblings is drawn whole; `root` for the top. */
  readonly whole: ReadonlySet<string>;
  /** Opened on the way to what was selected: see {@link pathTo}. */
  readonly opened: ReadonlySet<string>;
  /** Drawn however many siblings there are, since it was selected. */
  readonly shown: ReadonlySet<string>;
}
