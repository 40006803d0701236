export { readControlClock } from './clock.ts';
export type { ControlDb, ControlStore } from './control-store.ts';
export {
  findInstallation,
  findSealedKeys,
  hasAccounts,
  insertInstallation,
} from './installation-store.ts';
export { ControlStoreTooNew, readControlMigrations } from './migrations.ts';
export { openControlStore, openControlUnmigrated } from './open.ts';
export { type PlanToFit, paysForProject, planColumns, planInForce, planToFit } from './owners/payers.ts';
export { findPeople, lockMember, lockOwner, type OwnerRow, type Person } from './owners/project-people.ts';
export { selectRawRows } from './raw-rows.ts';
export { migrateAlone } from './served.ts';
export * from './tables/alert-tables.ts';
export * from './tables/analytics-tables.ts';
export * from './tables/billing-tables.ts';
export * from './tables/deletion-tables.ts';
export * from './tables/digest-tables.ts';
export * from './tables/error-tables.ts';
export * from './tables/schema.ts';
export * from './tables/share-tables.ts';
export * from './tables/usage-tables.ts';
export * from './tables/view-tables.ts';
export { violatesConstraint } from './violations.ts';
