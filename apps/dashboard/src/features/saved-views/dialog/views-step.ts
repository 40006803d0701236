import type { SavedView } from '@throughline/contract';

/** The content of the dialog: the form for a new view, the list of views, or a form about one view. */
export type ViewsStep =
  | { readonly kind: 'save' | 'list' }
  | { readonly kind: 'rename' | 'replace' | 'delete'; readonly view: SavedView };
