import { and, asc, eq, gt, lte } from 'drizzle-orm';
import {
  type ControlDb,
  invitations,
  members,
  organizations,
  users,
} from '../../platform/control-store/index.ts';
import { createId, type InvitationId, type OrganizationId, type UserId } from '../../platform/ids.ts';

export interface NewInvitation {
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'developer';
  readonly tokenHash: string;
  readonly inviterId: UserId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** @throws a violation of `invitations_one_an_address` if the organization already has an invitation to the address */
export async function insertInvitation(
  db: ControlDb,
  invitation: NewInvitation,
  seal: (id: InvitationId) => string,
): Promise<InvitationId> {
  const id = createId<InvitationId>();
  await db.insert(invitations).values({ ...invitation, id, sealedToken: seal(id) });
  return id;
}

/** Deletes an organization's expired invitations. */
export async function deleteExpired(db: ControlDb, organizationId: OrganizationId, now: Date): Promise<void> {
  await db
    .delete(invitations)
    .where(and(eq(invitations.organizationId, organizationId), lte(invitations.expiresAt, now)));
}

const columns = {
  id: invitations.id,
  organizationId: invitations.organizationId,
  organizationName: organizations.name,
  inviterName: users.name,
  name: invitations.name,
  email: invitations.email,
  role: invitations.role,
  sealedToken: invitations.sealedToken,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};

/** Finds invitations that have not expired, oldest first. */
export function findPending(
  db: ControlDb,
  of: { readonly organizationId: OrganizationId } | { readonly email: string },
  now: Date,
) {
  return selectInvitations(db)
    .where(
      and(
        'email' in of ? eq(invitations.email, of.email) : eq(invitations.organizationId, of.organizationId),
        gt(invitations.expiresAt, now),
      ),
    )
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

export type InvitationRow = Awaited<ReturnType<typeof findPending>>[number];

export async function findByToken(db: ControlDb, tokenHash: string, now: Date) {
  const [row] = await selectInvitations(db).where(
    and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now)),
  );
  return row;
}

function selectInvitations(db: ControlDb) {
  return db
    .select(columns)
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .leftJoin(users, eq(users.id, invitations.inviterId));
}

/** Deletes and returns an invitation, so that it can be accepted only once; undefined if it does not exist or has expired. */
export async function takeByToken(
  db: ControlDb,
  tokenHash: string,
  now: Date,
): Promise<
  { organizationId: OrganizationId; role: 'owner' | 'admin' | 'developer'; email: string } | undefined
> {
  const [row] = await db
    .delete(invitations)
    .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now)))
    .returning({
      organizationId: invitations.organizationId,
      role: invitations.role,
      email: invitations.email,
    });
  return row;
}

const buildInvitationCondition = (organizationId: OrganizationId, id: InvitationId) =>
  and(eq(invitations.organizationId, organizationId), eq(invitations.id, id));

/** Deletes an invitation and returns the invited address. Returns undefined if the invitation does not exist. */
export async function deleteInvitation(
  db: ControlDb,
  organizationId: OrganizationId,
  id: InvitationId,
): Promise<string | undefined> {
  const [row] = await db
    .delete(invitations)
    .where(buildInvitationCondition(organizationId, id))
    .returning({ email: invitations.email });
  return row?.email;
}

export async function extendInvitation(
  db: ControlDb,
  organizationId: OrganizationId,
  id: InvitationId,
  times: { readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await db
    .update(invitations)
    .set({ expiresAt: times.expiresAt })
    .where(and(buildInvitationCondition(organizationId, id), gt(invitations.expiresAt, times.now)))
    .returning({ id: invitations.id });
  return rows.length === 1;
}

export async function isMember(
  db: ControlDb,
  organizationId: OrganizationId,
  email: string,
): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(members, and(eq(members.userId, users.id), eq(members.organizationId, organizationId)))
    .where(eq(users.email, email));
  return rows.length > 0;
}

export async function findAddress(
  db: ControlDb,
  userId: UserId,
): Promise<{ email: string; emailVerifiedAt: Date | null } | undefined> {
  const [row] = await db
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}
