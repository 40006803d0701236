export { type BackupHead, type BackupPart, BadBackup, readParts } from './frames.ts';
export { RestoreRefused, restoreRows } from './restore.ts';
export { markOf } from './secret-mark.ts';
export { markRollups } from './trace-store.ts';
export { NothingStored, writeBackup } from './write.ts';
