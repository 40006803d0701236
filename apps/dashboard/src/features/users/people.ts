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

export const SORTS = ['name', 'role', 'status', 'joined', 'lastActive'] as const;
export type SortKey = (typeof SORTS)[number];

const RANK: Readonly<Record<Member['role'], number>> = { owner: 0, admin: 1, developer: 2 };

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
  return [...joined, ...invited];
}

/**
 * Returns the rows whose name or email address contains the search string, sorted. In the order by join date, a pending invitation counts
 * as later than all members.
 */
export function arrange(
  rows: readonly PersonRow[],
  search: string,
  sort: { readonly by: SortKey; readonly descending: boolean },
): PersonRow[] {
  const wanted = search.trim().toLowerCase();
  const found = rows.filter(
    (row) => row.name.toLowerCase().includes(wanted) || row.email.toLowerCase().includes(wanted),
  );
  const sign = sort.descending ? -1 : 1;
  return found.sort((a, b) => sign * compare(a, b, sort.by) || a.email.localeCompare(b.email));
}

function compare(a: PersonRow, b: PersonRow, by: SortKey): number {
  switch (by) {
    case 'name':
      return a.name.localeCompare(b.name);
    case 'role':
      return RANK[a.role] - RANK[b.role];
    case 'status':
      return a.status.localeCompare(b.status);
    case 'joined':
      return (a.joinedMs ?? Infinity) - (b.joinedMs ?? Infinity) || 0;
    case 'lastActive':
      return (a.lastActiveMs ?? 0) - (b.lastActiveMs ?? 0);
  }
}

/** Counts all, active and pending people. */
export function countPeople(rows: readonly PersonRow[]) {
  return {
    total: rows.length,
    active: rows.filter((row) => row.status === 'Active').length,
    pending: rows.filter((row) => row.status === 'Pending').length,
  };
}
