export * from './analytics-tables.ts';
export * from './billing-tables.ts';
export { controlClock } from './clock.ts';
export * from './deletion-tables.ts';
export {
  findInstallation,
  findSealedKeys,
  hasAccounts,
  insertInstallation,
} from './installation-store.ts';
export { ControlStoreTooNew, controlMigrations } from './migrations.ts';
export { type ControlDb, type ControlStore, openControlStore, openControlUnmigrated } from './open.ts';
export { type PlanToFit, paysForProject, planColumns, planInForce, planToFit } from './payers.ts';
export { rawRows } from './raw-rows.ts';
export * from './schema.ts';
export { migratingAlone } from './served.ts';
export * from './usage-tables.ts';
export { violates } from './violations.ts';
