import { PLAN_IDS, PLANS, type PlanId, readPlanId } from '@throughline/contract';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import { AppError, buildValidationError } from '../../../platform/http/errors.ts';
import type { Operator } from '../../audit/index.ts';
import { refuseOtherKind, refuseTooSmall } from '../plan-change.ts';
import { computeFirstPeriod } from '../proration.ts';
import type { Reported } from '../provider.ts';
import { countProjects, countSeats, findPayer, findSubscription, type Payer } from '../store.ts';
import type { SubscriptionState } from '../subscription.ts';
import type { SubscriptionWriter } from '../subscription-writer.ts';

/** Maximum number of attempts to set a plan, because other changes of the same subscription can interfere. */
const MAX_TRIES = 8;

/** The operator as shown in the audit log. */
const OPERATOR: Operator = { userId: null, address: 'command line' };

const Assignment = z
  .object({
    organization: z.string().optional(),
    email: z.string().optional(),
    plan: z.string().transform((text, context) => {
      const plan = readPlanId(text);
      if (plan !== undefined) return plan;
      context.addIssue({ code: 'custom', message: `--plan must be one of ${PLAN_IDS.join(', ')}` });
      return z.NEVER;
    }),
  })
  .refine(({ organization, email }) => (organization === undefined) !== (email === undefined), {
    error: 'Name the account with --organization or --email.',
    path: ['organization'],
  });

/** Gives an account a plan without payment. Setting the free trial ends a plan that the operator or the sandbox gave the account. */
export async function setPlan(
  deps: {
    readonly control: ControlStore;
    readonly clock: Clock;
    readonly subscriptionWriter: SubscriptionWriter;
  },
  assignment: unknown,
): Promise<string> {
  const read = Assignment.safeParse(assignment);
  if (!read.success) throw buildValidationError(read.error);
  const { organization, email, plan } = read.data;
  const { clock, subscriptionWriter } = deps;
  const { db } = deps.control;
  const name = organization ?? email ?? '';
  const payer = await findPayer(db, { slug: organization, email: email?.toLowerCase() });
  if (payer === undefined) throw new AppError('not_found', describeUnknown(organization, name));
  refuseOtherKind(plan, payer.kind);
  await refuseFull(deps, payer, plan);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const row = await findSubscription(db, payer);
    if (row !== undefined) await subscriptionWriter.applyDueEvents(row.id);
    const queried = row === undefined ? undefined : await subscriptionWriter.beginRequest(row.id);
    if (queried === undefined) throw new AppError('not_found', describeUnknown(organization, name));
    const { state } = queried.paying;
    const isPaid = state.status === 'active' || state.status === 'past_due';
    if (isPaid && queried.row.provider === 'stripe')
      throw new AppError(
        'subscription_state',
        `${name} pays through Stripe. Cancel the subscription there, or let the account change its plan.`,
      );
    const outcome = findOutcome(state, plan, clock.now());
    const applied =
      outcome === undefined
        ? undefined
        : await subscriptionWriter.apply(queried, { provider: 'operator', outcome, actor: OPERATOR });
    if (applied?.kind !== 'stale') return `${name} has the plan ${PLANS[plan].name}.`;
  }
  throw new AppError('overloaded', 'The subscription is being changed elsewhere. Try again.');
}

/** Returns the outcome of setting a plan; undefined if the account already has the plan. */
function findOutcome(state: SubscriptionState, plan: PlanId, now: Date): Reported | undefined {
  const isPaid = state.status === 'active' || state.status === 'past_due';
  if (PLANS[plan].price === 0) {
    if (state.status === 'trialing') return undefined;
    if (!isPaid)
      throw new AppError(
        'subscription_state',
        'The free trial can be used once, and it has ended. Set another plan.',
      );
    return { kind: 'report', report: { status: 'ended', isRequested: false }, providerData: {} };
  }
  if (state.status === 'active' && state.terms.plan === plan && state.next.kind === 'renewal')
    return undefined;
  const terms = { plan, cycle: 'monthly' } as const;
  const period = computeFirstPeriod(now, terms.cycle);
  return {
    kind: 'report',
    report: { status: 'paid', terms, period, next: { kind: 'renewal' } },
    providerData: {},
  };
}

async function refuseFull(
  { control, clock }: { readonly control: ControlStore; readonly clock: Clock },
  payer: Payer,
  plan: PlanId,
): Promise<void> {
  const members = await countSeats(control.db, payer, clock.now());
  refuseTooSmall(plan, { members, projects: await countProjects(control.db, payer) });
}

function describeUnknown(organization: string | undefined, name: string): string {
  return organization === undefined
    ? `No solo account has the address ${name}. Name an organization's slug with --organization.`
    : `No organization has the slug ${name}.`;
}
