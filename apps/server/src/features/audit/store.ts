import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditSort,
  type Order,
  SERVER_ACTOR,
  splitSearch,
} from '@throughline/contract';
import { and, asc, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
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

export interface AuditListing {
  readonly sort: AuditSort;
  readonly order: Order;
  readonly search?: string | undefined;
}

/** The last entry of a page. `value` is the value by which the page is sorted. */
export interface LastEntry {
  readonly id: string;
  readonly value: string | number;
}

const NAME = sql`coalesce(${auditEntries.actorName}, ${SERVER_ACTOR})`;
/** The actions, sorted by the texts that the log shows for them. */
const BY_WORDS = Object.entries(AUDIT_ACTIONS)
  .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  .map(([action]) => action);

const SORTED_BY: Readonly<Record<AuditSort, SQL<string | number>>> = {
  // An entry's id begins with the time, so sorting by id sorts by time, and also orders the entries of one millisecond.
  time: sql<string>`${auditEntries.id}`,
  user: sql<string>`lower(${NAME})`,
  action: sql<number>`array_position(string_to_array(${BY_WORDS.join()}, ','), ${auditEntries.action}::text)`,
  address: sql<string>`coalesce(${auditEntries.address}, '')`,
};

/** Finds the entry with which a page of an organization's log ended. */
export async function findLastEntry(
  db: ControlDb,
  organizationId: OrganizationId,
  id: string,
  sort: AuditSort,
): Promise<LastEntry | undefined> {
  const [row] = await db
    .select({ id: auditEntries.id, value: SORTED_BY[sort] })
    .from(auditEntries)
    .where(and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.id, id)));
  return row;
}

/** Finds an organization's entries since an instant that come after the entry `last` in the given order. */
export function findEntries(
  db: ControlDb,
  organizationId: OrganizationId,
  page: {
    readonly since: Date;
    readonly last: LastEntry | undefined;
    readonly listing: AuditListing;
    readonly limit: number;
  },
) {
  const by = SORTED_BY[page.listing.sort];
  const isAscending = page.listing.order === 'ascending';
  return db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        gte(auditEntries.at, page.since),
        ...splitSearch(page.listing.search).map(selectMatching),
        page.last === undefined ? undefined : selectAfter(by, isAscending, page.last),
      ),
    )
    .orderBy(isAscending ? asc(by) : desc(by), desc(auditEntries.id))
    .limit(page.limit);
}

function selectAfter(by: SQL, isAscending: boolean, { id, value }: LastEntry) {
  return or(isAscending ? gt(by, value) : lt(by, value), and(eq(by, value), lt(auditEntries.id, id)));
}

/**
 * Builds the condition for entries that contain a word: in the user, the target, the address, or the text that the log shows for the
 * action.
 */
function selectMatching(written: string) {
  const word = written.toLowerCase();
  const actions = Object.entries(AUDIT_ACTIONS)
    .filter(([, words]) => words.toLowerCase().includes(word))
    .map(([action]) => action);
  // In some locales, PostgreSQL's lower() changes only ASCII letters. Therefore, translate() changes the capital forms of the word's
  // letters to lower case in the searched text.
  const letters = [...new Set(word)].filter((letter) => [...letter.toUpperCase()].length === 1);
  const text = sql`concat_ws(chr(10), ${NAME}, ${auditEntries.actorEmail}, ${auditEntries.target}, ${auditEntries.address})`;
  const folded = sql`translate(lower(${text}), ${letters.join('').toUpperCase()}, ${letters.join('')})`;
  return or(
    sql`strpos(${folded}, ${word}::text) > 0`,
    actions.length === 0 ? undefined : inArray(auditEntries.action, actions),
  );
}

export async function deleteEntriesBefore(db: ControlDb, before: Date): Promise<void> {
  await db.delete(auditEntries).where(lt(auditEntries.at, before));
}
