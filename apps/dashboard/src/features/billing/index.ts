export { LimitDialog, type ReachedLimit } from './dialogs/limit-dialog.tsx';
export { formatDollars } from './plan/subscription-texts.ts';
export { LongerRetentionLink, RetentionNote } from './retention-note.tsx';
