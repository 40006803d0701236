import { type Member, type MemberRole, type Organization, PLANS, TEXTS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  type ControlDb,
  type ControlStore,
  planInForce,
  violatesConstraint,
} from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { type OrganizationId, readId, type UserId } from '../../platform/ids.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import {
  deleteMember,
  findMembers,
  findMembership,
  insertMember,
  insertOrganization,
  isSlugUsed,
  type MemberRow,
  type MembershipRow,
  stepDown,
  updateOrganization,
  updateRole,
} from './store.ts';

const DAY_MS = 86_400_000;
const ACTIVE_DAYS = 30;

/** Called in the transaction in which a member leaves an organization or is removed. */
export type OnMemberGone = (tx: ControlDb, id: OrganizationId, userId: UserId) => Promise<void>;

export interface OrgsService {
  organizationOf(userId: UserId): Promise<Organization | null>;
  slugIsFree(slug: string): Promise<boolean>;
  /** @throws AppError `already_member`, `slug_taken`, `cancel_subscription_first` */
  create(actor: Actor, given: { name: string; slug: string }): Promise<Organization>;
  /** Like {@link create}, but within the caller's transaction and without a result. */
  found(tx: ControlDb, actor: Actor, given: { name: string; slug: string }): Promise<void>;
  update(
    actor: Actor,
    id: OrganizationId,
    change: { name?: string | undefined; slug?: string | undefined },
  ): Promise<Organization>;
  members(id: OrganizationId): Promise<Member[]>;
  setRole(actor: Actor, id: OrganizationId, userId: string, role: MemberRole): Promise<Member>;
  remove(actor: Actor, id: OrganizationId, userId: string): Promise<UserId>;
  leave(actor: Actor, id: OrganizationId): Promise<void>;
  transferOwnership(actor: Actor, id: OrganizationId, userId: string): Promise<Organization>;
  onMemberGone(listener: OnMemberGone): void;
  /** @throws AppError `already_member`, `cancel_subscription_first` */
  join(tx: ControlDb, actor: Actor, id: OrganizationId, role: MemberRole): Promise<void>;
}

export function createOrgsService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly billing: Billing;
}): OrgsService {
  const { clock, audit, billing } = deps;
  const { db } = deps.control;
  const listeners: OnMemberGone[] = [];

  const findOrganization = async (userId: UserId): Promise<Organization | null> => {
    const row = await findMembership(db, userId);
    return row === undefined ? null : describe(row, clock.now());
  };
  const mine = async (actor: Actor): Promise<Organization> => {
    const organization = await findOrganization(actor.userId);
    if (organization === null) throw new AppError('not_found');
    return organization;
  };
  const findOne = async (tx: ControlDb, id: OrganizationId, userId: string): Promise<MemberRow> => {
    const known = readId<UserId>(userId);
    const [row] = known === undefined ? [] : await findMembers(tx, id, known);
    if (row === undefined) throw new AppError('not_found');
    if (row.role === 'owner') throw new AppError('owner_stays', TEXTS.ownerStays);
    return row;
  };
  const describeMember = (row: MemberRow): Member => ({
    id: row.id,
    role: row.role,
    isActive:
      row.lastActiveAt !== null && clock.now().getTime() - row.lastActiveAt.getTime() < ACTIVE_DAYS * DAY_MS,
    joinedAt: row.joinedAt.toISOString(),
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
    user: { name: row.name, email: row.email },
  });
  const join: OrgsService['join'] = async (tx, actor, organizationId, role) => {
    // Refuses a user with a paid solo subscription, because a member can no longer see the page on which to cancel the subscription.
    const solo = { kind: 'solo', userId: actor.userId } as const;
    await billing.refusePaid(tx, solo, TEXTS.cancelSubscriptionToJoin);
    try {
      // In PostgreSQL, a violated constraint aborts the transaction. The nested transaction limits this to the insert, so that the
      // caller can continue its own transaction.
      await tx.transaction((inner) =>
        insertMember(inner, { userId: actor.userId, organizationId, role, now: clock.now() }),
      );
    } catch (error) {
      if (violatesConstraint(error, 'members_pkey'))
        throw new AppError('already_member', TEXTS.alreadyMember);
      throw error;
    }
  };
  const found: OrgsService['found'] = async (tx, actor, given) => {
    const organizationId = await writeSlug(tx, (inner) =>
      insertOrganization(inner, { ...given, now: clock.now() }),
    );
    await join(tx, actor, organizationId, 'owner');
    await billing.startTrial(tx, { kind: 'organization', organizationId }, clock.now());
    await audit.record(tx, { organizationId, action: 'organization.created', actor, target: given.name });
  };
  /** Removes a member, who becomes a solo user. */
  const part = async (tx: ControlDb, id: OrganizationId, row: MemberRow) => {
    if (!(await deleteMember(tx, id, row.id))) throw new AppError('not_found');
    for (const tell of listeners) await tell(tx, id, row.id);
    await billing.startTrial(tx, { kind: 'solo', userId: row.id }, row.createdAt);
  };

  return {
    organizationOf: findOrganization,
    onMemberGone: (listener) => void listeners.push(listener),
    join,
    found,
    slugIsFree: async (slug) => !(await isSlugUsed(db, slug)),
    async create(actor, given) {
      await db.transaction((tx) => found(tx, actor, given));
      return mine(actor);
    },
    async update(actor, id, { name, slug }) {
      const change = { ...(name === undefined ? {} : { name }), ...(slug === undefined ? {} : { slug }) };
      await db.transaction(async (tx) => {
        await writeSlug(tx, (inner) => updateOrganization(inner, id, change));
        const target = Object.values(change).join(', ');
        await audit.record(tx, { organizationId: id, action: 'organization.updated', actor, target });
      });
      return mine(actor);
    },
    async members(id) {
      return (await findMembers(db, id)).map(describeMember);
    },
    setRole: (actor, id, userId, role) =>
      db.transaction(async (tx) => {
        const row = await findOne(tx, id, userId);
        if (!(await updateRole(tx, id, row.id, role))) throw new AppError('not_found');
        const target = `${row.email}: ${row.role} to ${role}`;
        await audit.record(tx, { organizationId: id, action: 'member.role_changed', actor, target });
        return describeMember({ ...row, role });
      }),
    remove: (actor, id, userId) =>
      db.transaction(async (tx) => {
        const row = await findOne(tx, id, userId);
        await part(tx, id, row);
        await audit.record(tx, { organizationId: id, action: 'member.removed', actor, target: row.email });
        return row.id;
      }),
    leave: (actor, id) =>
      db.transaction(async (tx) => {
        await part(tx, id, await findOne(tx, id, actor.userId));
        await audit.record(tx, { organizationId: id, action: 'member.left', actor });
      }),
    async transferOwnership(actor, id, userId) {
      await db.transaction(async (tx) => {
        // Changes the owner's role first, because an organization can have only one owner.
        if (!(await stepDown(tx, id, actor.userId))) throw new AppError('forbidden');
        const heir = readId<UserId>(userId);
        const [row] = heir === undefined || heir === actor.userId ? [] : await findMembers(tx, id, heir);
        if (row === undefined || !(await updateRole(tx, id, row.id, 'owner')))
          throw new AppError('not_found');
        await audit.record(tx, {
          organizationId: id,
          action: 'organization.ownership_transferred',
          actor,
          target: row.email,
        });
      });
      return mine(actor);
    },
  };
}

/** Runs `write`, which sets an organization's slug. @throws AppError `slug_taken` if another organization has the slug */
async function writeSlug<T>(tx: ControlDb, write: (inner: ControlDb) => Promise<T>): Promise<T> {
  try {
    return await tx.transaction(write);
  } catch (error) {
    if (violatesConstraint(error, 'organizations_slug')) throw new AppError('slug_taken', TEXTS.slugTaken);
    throw error;
  }
}

function describe(row: MembershipRow, now: Date): Organization {
  const plan = PLANS[planInForce(row, now)];
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: plan.id,
    memberCount: row.memberCount,
    projectCount: row.projectCount,
    limits: {
      maxMembers: plan.maxMembers,
      maxProjects: plan.maxProjects,
      maxTracesPerMonth: plan.maxTracesPerMonth,
      retentionHours: plan.retentionHours,
    },
    subscription: { plan: plan.id },
    role: row.role,
    demo: row.demo,
  };
}
