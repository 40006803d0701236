export { type ControlDb, type ControlStore, openControlStore } from './open.ts';
export { paysForProject } from './payers.ts';
export * from './schema.ts';
export * from './usage-tables.ts';
export { violates } from './violations.ts';
