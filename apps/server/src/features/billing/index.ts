import { checkLimit, PLANS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { StripeSettings } from '../../platform/config.ts';
import {
  type ControlDb,
  type ControlStore,
  planInForce,
  planToFit,
} from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { assertWithinLimit } from '../../platform/http/plan-limit-errors.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import type { OrganizationId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { Audit } from '../audit/index.ts';
import type { UsageFeature } from '../usage/index.ts';
import type { Providers } from './providers.ts';
import { startReconcileJob } from './reconcile-job.ts';
import { createReconciler } from './reconciler.ts';
import { registerBillingRoutes } from './routes.ts';
import { createOperatorProvider } from './sandbox/operator.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { setPlan } from './sandbox/set-plan.ts';
import { createBillingService } from './service.ts';
import { countSeats, findSubscription, insertTrial, type Payer } from './store.ts';
import { createStripe } from './stripe/index.ts';
import { createSubscriptionWriter } from './subscription-writer.ts';

export type { Payer } from './store.ts';

export interface Billing {
  register(http: HttpContext): void;
  /** Gives a payer without a subscription a trial that began at `since`. */
  startTrial(tx: ControlDb, payer: Payer, since: Date): Promise<void>;
  /**
   * Checks that the organization's plan has a free seat. Locks the plan until the transaction ends, so that concurrent requests for seats
   * are counted one after the other.
   * @throws AppError `plan_limit` if no seat is free
   */
  takeSeat(tx: ControlDb, organizationId: OrganizationId): Promise<void>;
  /** @throws AppError `cancel_subscription_first`, with the message, if the payer's subscription renews */
  refusePaid(db: ControlDb, payer: Payer, message: string): Promise<void>;
  /**
   * Gives an account a plan without payment, as the server's operator. Returns a description of the account's plan.
   * @throws AppError `validation_failed`, `not_found`, `plan_not_available`, `plan_limit`, `subscription_state`, `overloaded`
   */
  setPlan(assignment: unknown): Promise<string>;
  /** Calls `listener` after this server has changed the plan of any account. */
  onPlanChanged(listener: () => Promise<void>): void;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

export function createBilling(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly mail: Mailer;
  readonly usage: Pick<UsageFeature, 'readMonth'>;
  readonly publicUrl: () => string;
  /** Stripe's settings; undefined if the server takes no payments. */
  readonly stripe: StripeSettings | undefined;
  /** Used only without Stripe. True: accounts choose plans in the payment sandbox. False: the operator sets their plans. */
  readonly sandbox: boolean;
  /** True if the sandbox's clock can be moved. */
  readonly testClock: boolean;
}): Billing {
  const { clock } = deps;
  const listeners: (() => Promise<void>)[] = [];
  const changed = async () => {
    for (const listener of listeners) await listener();
  };
  const sandbox = createSandbox(deps);
  const operator = createOperatorProvider(deps);
  const stripe = deps.stripe === undefined ? undefined : createStripe({ ...deps, settings: deps.stripe });
  const byKind = { sandbox, operator, stripe: stripe?.provider };
  const providers: Providers = {
    current: stripe?.provider ?? (deps.sandbox ? sandbox : operator),
    of: (kind) => byKind[kind],
  };
  const isByOperator = providers.current === operator;
  const subscriptionWriter = createSubscriptionWriter({ ...deps, changed, isByOperator });
  const reconciler = createReconciler({ ...deps, subscriptionWriter, providers });
  const testClock = deps.testClock && providers.current === sandbox;
  const service = createBillingService({
    ...deps,
    subscriptionWriter,
    reconciler,
    providers,
    testClock,
    readMonth: deps.usage.readMonth,
  });
  const reconcileJob = startReconcileJob({ log: deps.log, clock, reconciler });

  return {
    register(http) {
      registerBillingRoutes(http, service, { testClock });
      stripe?.register(http, reconciler);
    },
    startTrial(tx, payer, since) {
      const end = new Date(since.getTime() + (PLANS.free_trial.trialDays ?? 0) * DAY_MS);
      return insertTrial(tx, payer, { start: since, end });
    },
    async takeSeat(tx, organizationId) {
      const payer = { kind: 'organization', organizationId } as const;
      const now = clock.now();
      const plan = planToFit(await findSubscription(tx, payer, true), now);
      assertWithinLimit(
        checkLimit('members', { ...plan, kind: 'organization' }, await countSeats(tx, payer, now)),
      );
    },
    async refusePaid(tx, payer, message) {
      const row = await findSubscription(tx, payer, true);
      // Nobody pays for a plan that the operator set.
      if (row === undefined || row.cancelAtPeriodEnd || row.provider === 'operator') return;
      if (PLANS[planInForce(row, clock.now())].price === 0) return;
      throw new AppError('cancel_subscription_first', message);
    },
    setPlan: (assignment) => setPlan({ control: deps.control, clock, subscriptionWriter }, assignment),
    onPlanChanged: (listener) => void listeners.push(listener),
    close: reconcileJob.close,
  };
}
