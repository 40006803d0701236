import type { AuditAction } from '@throughline/contract';
import { and, desc, eq, gte, lt } from 'drizzle-orm';
import { v7 } from 'uuid';
import { auditEntries, type ControlDb, users } from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';

export async function findActor(
  db: ControlDb,
  id: UserId,
): Promise<{ name: string; email: string } | undefined> {
  const [row] = await db.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, id));
  return row;
}

export async function insertEntry(
  db: ControlDb,
  entry: {
    readonly organizationId: OrganizationId;
    readonly at: Date;
    readonly action: AuditAction;
    readonly actor: { readonly name: string; readonly email: string } | undefined;
    readonly target: string | undefined;
    readonly address: string | undefined;
  },
): Promise<void> {
  await db.insert(auditEntries).values({
    id: v7(),
    organizationId: entry.organizationId,
    at: entry.at,
    action: entry.action,
    actorName: entry.actor?.name,
    actorEmail: entry.actor?.email,
    target: entry.target,
    address: entry.address,
  });
}

/** Finds an organization's entries since an instant and older than the entry `before`, newest first. */
export function findEntries(
  db: ControlDb,
  organizationId: OrganizationId,
  page: { readonly since: Date; readonly before: string | undefined; readonly limit: number },
) {
  return db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        gte(auditEntries.at, page.since),
        page.before === undefined ? undefined : lt(auditEntries.id, page.before),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(page.limit);
}

export async function deleteEntriesBefore(db: ControlDb, before: Date): Promise<void> {
  await db.delete(auditEntries).where(lt(auditEntries.at, before));
}
