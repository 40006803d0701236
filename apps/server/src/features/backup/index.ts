export { type BackupHead, type BackupPart, BadBackup, readParts } from './frames.ts';
export { type Restored, RestoreRefused, restoreRows } from './restore.ts';
export { markOf } from './secret-mark.ts';
export { markRollups } from './trace-store.ts';
export { type BackupSource, writeBackup } from './write.ts';
