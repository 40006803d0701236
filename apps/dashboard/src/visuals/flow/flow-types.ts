import type { StepEntry } from '../steps/analysis/bundle-repeats.ts';
import type { ThrownAs } from '../steps/step-outcome.ts';

/** For a card or arrow on the path of an error, how the error is shown; undefined for all other cards and arrows. */
export type ErrorPath = ThrownAs | undefined;

/** A card of the graph, or the bar at which concurrent calls split or join. */
export type FlowNode = EntryCard | HiddenSiblings | Brace;

export interface EntryCard {
  readonly kind: 'entry';
  readonly id: string;
  readonly entry: StepEntry;
  /** True if the entry's children are drawn. Undefined if the entry has no children. */
  readonly open: boolean | undefined;
  /** The number of steps below the entry at all levels. For a bundle, its members count, too. */
  readonly below: number;
  readonly errorPath: ErrorPath;
}

/** Represents siblings that are not drawn because there are too many. */
export interface HiddenSiblings {
  readonly kind: 'more';
  readonly id: string;
  /** The key of the entry whose children these siblings are; `root` for the top level. `FlowFolding.whole` contains such keys. */
  readonly owner: string;
  readonly count: number;
  readonly errorPath: undefined;
}

export interface Brace {
  readonly kind: 'fork' | 'join';
  readonly id: string;
  /** The number of parallel steps. */
  readonly count: number;
  readonly errorPath: ErrorPath;
}

/** The input of the layout: cards in sequence, or parallel branches. */
export type FlowBlock =
  | { readonly kind: 'card'; readonly id: string; readonly indent: number }
  | { readonly kind: 'series'; readonly blocks: readonly FlowBlock[] }
  | {
      readonly kind: 'parallel';
      readonly fork: string;
      /** The id of the brace at which the branches join again; undefined if no card follows the branches. */
      readonly join: string | undefined;
      readonly indent: number;
      readonly branches: readonly FlowBlock[];
    };

export interface FlowEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly errorPath: ErrorPath;
}

export interface FlowGraphData {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly root: FlowBlock;
}

/** The state of expanded and collapsed entries, by key. */
export interface FlowFolding {
  /** The entries that are expanded at first. `readable`: as many levels as fit into `CARDS_AT_FIRST` cards. */
  readonly rule: 'readable' | 'all' | 'none';
  /** Entries that the user opened or closed, so that they differ from the initial state. */
  readonly toggled: ReadonlySet<string>;
  /** Entries whose children are all drawn, even if there are many; `root` stands for the top level. */
  readonly whole: ReadonlySet<string>;
  /** Entries opened because they contain the selected step: see {@link findPathTo}. */
  readonly opened: ReadonlySet<string>;
  /** Entries that were selected. They are drawn even if other siblings are hidden because there are too many. */
  readonly shown: ReadonlySet<string>;
}
