import type { Member, PendingInvitation } from '@throughline/contract';

/** A row of the Users page: a member or a pending invitation. */
export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Member['role'];
  readonly status: 'Active' | 'Inactive' | 'Pending';
  /** Epoch milliseconds; undefined for a pending invitation. */
  readonly joinedMs: number | undefined;
  readonly lastActiveMs: number | undefined;
  readonly invitation: PendingInvitation | undefined;
}

/** The order of the roles: the owner is first. */
export const RANK: Readonly<Record<Member['role'], number>> = { owner: 0, admin: 1, developer: 2 };

/** Returns the members and the pending invitations in the order of their email addresses. */
export function buildPersonRows(
  members: readonly Member[],
  pending: readonly PendingInvitation[],
): PersonRow[] {
  const joined = members.map(
    (member): PersonRow => ({
      id: member.id,
      name: member.user.name,
      email: member.user.email,
      role: member.role,
      status: member.isActive ? 'Active' : 'Inactive',
      joinedMs: Date.parse(member.joinedAt),
      lastActiveMs: member.lastActiveAt === null ? undefined : Date.parse(member.lastActiveAt),
      invitation: undefined,
    }),
  );
  const invited = pending.map(
    (invitation): PersonRow => ({
      id: invitation.id,
      name: invitation.name,
      email: invitation.email,
      role: invitation.role,
      status: 'Pending',
      joinedMs: undefined,
      lastActiveMs: undefined,
      invitation,
    }),
  );
  return [...joined, ...invited].toSorted((a, b) => a.email.localeCompare(b.email));
}

/** Counts all, active and pending people. */
export function countPeople(rows: readonly PersonRow[]) {
  return {
    total: rows.length,
    active: rows.filter((row) => row.status === 'Active').length,
    pending: rows.filter((row) => row.status === 'Pending').length,
  };
}
