import type { SavedView } from '@throughline/contract';

/** What the dialog shows: the form for a new view, all views, or what is done with one of them. */
export type ViewsStep =
  | { readonly kind: 'save' | 'list' }
  | { readonly kind: 'rename' | 'replace' | 'delete'; readonly view: SavedView };
