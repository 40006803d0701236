export { LimitDialog, type ReachedLimit } from './dialogs/limit-dialog.tsx';
export { KeptFor, LongerKept } from './kept-for.tsx';
export { formatDollars } from './plan/subscription-texts.ts';
