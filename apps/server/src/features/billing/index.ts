import {
  fitsLimit,
  type OrganizationSubscription,
  PLANS,
  type PlanId,
  routes,
  TEXTS,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { type HttpContext, organizationOf, serve } from '../../platform/http/serve.ts';
import type { OrganizationId } from '../../platform/ids.ts';
import { addMonths } from '../../platform/months.ts';
import { type Actor, type Audit, actorOf } from '../audit/index.ts';
import {
  countProjects,
  countSeats,
  findOrganizationStart,
  findSubscription,
  insertTrial,
  type Payer,
  type SubscriptionRow,
  updatePlan,
} from './store.ts';
import { trialPeriod } from './trial-period.ts';

export type { Payer } from './store.ts';

export interface Billing {
  register(http: HttpContext): void;
  /** Gives a payer without a subscription a trial that began at `since`. */
  startTrial(tx: ControlDb, payer: Payer, since: Date): Promise<void>;
  /**
   * Holds the organization's plan until the transaction ends, so that seats taken at the same time are counted one after the other.
   * @throws AppError `plan_limit` when no seat is free
   */
  takeSeat(tx: ControlDb, organizationId: OrganizationId): Promise<void>;
  /** @throws AppError `cancel_subscription_first` */
  refusePaid(db: ControlDb, payer: Payer): Promise<void>;
}

export function createBilling(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
}): Billing {
  const { clock, audit } = deps;
  const { db } = deps.control;

  const changePlan = (organizationId: OrganizationId, plan: PlanId, actor: Actor) =>
    db.transaction(async (tx) => {
      const payer = { kind: 'organization', organizationId } as const;
      if (!PLANS[plan].kinds.includes('organization')) {
        throw new AppError('plan_not_available', `${PLANS[plan].name} is not a plan for organizations.`);
      }
      const before = await findSubscription(tx, payer, true);
      if (before === undefined) throw new AppError('not_found');
      if (before.plan === plan) return describe(before);
      const now = clock.now();
      await refuseTooSmall(tx, organizationId, plan, now);
      const period = await periodOf(tx, organizationId, plan, now);
      const row = await updatePlan(tx, payer, {
        plan,
        ...period,
        anchorAt: period.currentPeriodStart,
        accessEndsAt: addMonths(period.currentPeriodEnd, plan === 'free_trial' ? 0 : 1),
      });
      if (row === undefined) throw new AppError('not_found');
      await audit.record(tx, {
        organizationId,
        action: 'subscription.plan_changed',
        actor,
        target: `${PLANS[before.plan].name} → ${PLANS[plan].name}`,
      });
      return describe(row);
    });

  return {
    register(http) {
      serve(http, routes.billing.organizationSubscription, async ({ scope }) => {
        const payer = { kind: 'organization', organizationId: organizationOf(scope) } as const;
        const row = await findSubscription(db, payer);
        if (row === undefined) throw new AppError('not_found');
        return { subscription: describe(row) };
      });
      serve(http, routes.billing.changeOrganizationPlan, async ({ scope, body, caller, request }) => {
        const actor = actorOf(caller, request);
        return { subscription: await changePlan(organizationOf(scope), body.plan, actor) };
      });
    },
    startTrial: insertTrial,
    async takeSeat(tx, organizationId) {
      const row = await findSubscription(tx, { kind: 'organization', organizationId }, true);
      const plan = row?.plan ?? 'free_trial';
      const limit = PLANS[plan].maxMembers;
      const used = await countSeats(tx, organizationId, clock.now());
      if (fitsLimit(limit, used)) return;
      const message = plan === 'free_trial' ? TEXTS.freePlanMembers : `Your plan includes ${limit} members.`;
      throw new AppError('plan_limit', message, { details: { upgradeRequired: true, limit, used } });
    },
    async refusePaid(tx, payer) {
      const row = await findSubscription(tx, payer, true);
      if (row !== undefined && PLANS[row.plan].price > 0 && row.status === 'active')
        throw new AppError('cancel_subscription_first', TEXTS.cancelSubscriptionFirst);
    },
  };
}

/** A smaller plan must hold what is there already. */
async function refuseTooSmall(
  tx: ControlDb,
  organizationId: OrganizationId,
  plan: PlanId,
  now: Date,
): Promise<void> {
  const { name, maxMembers, maxProjects } = PLANS[plan];
  const counts = [
    { what: 'members', limit: maxMembers, used: await countSeats(tx, organizationId, now) },
    { what: 'projects', limit: maxProjects, used: await countProjects(tx, organizationId) },
  ];
  for (const { what, limit, used } of counts) {
    if (fitsLimit(limit, used - 1)) continue;
    throw new AppError(
      'plan_limit',
      `${name} includes ${limit} ${what}, and there are ${used}. Please remove ${used - limit} first.`,
      {
        details: { limit, used },
      },
    );
  }
}

async function periodOf(tx: ControlDb, organizationId: OrganizationId, plan: PlanId, now: Date) {
  if (plan === 'free_trial') {
    const period = trialPeriod((await findOrganizationStart(tx, organizationId)) ?? now);
    const status = period.currentPeriodEnd > now ? ('trialing' as const) : ('expired' as const);
    return { status, ...period };
  }
  return { status: 'active' as const, currentPeriodStart: now, currentPeriodEnd: addMonths(now, 1) };
}

function describe(row: SubscriptionRow): OrganizationSubscription {
  return {
    id: row.id,
    plan: row.plan,
    status: row.status,
    currentPeriodStart: row.currentPeriodStart.toISOString(),
    currentPeriodEnd: row.currentPeriodEnd.toISOString(),
  };
}
