export { type BackupHead, type BackupPart, readParts } from './frames.ts';
export { restoreRows } from './restore.ts';
export { markRollups } from './trace-store.ts';
export { writeBackup } from './write.ts';
