import { eq, or } from 'drizzle-orm';
import { projects, subscriptions } from './schema.ts';

/** Joins a project with the subscription that pays for it: its only owner's, or its organization's. */
export const paysForProject = or(
  eq(subscriptions.userId, projects.userId),
  eq(subscriptions.organizationId, projects.organizationId),
);
