import { PLANS, routes, type Usage } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Claims, createClaims } from './claims.ts';
import { monthOf } from './month.ts';
import { noticeMail, noticesOf } from './notices.ts';
import type { Quota } from './quota.ts';
import {
  type AccountId,
  findMonth,
  findOwnerAddress,
  findPayer,
  findPayerOf,
  type PayerRow,
} from './store.ts';

export type { Granted } from './claims.ts';
export type { Quota } from './quota.ts';

const MINUTE_MS = 60_000;
/** A server that counted traces has stored them, or has given up, long before. */
const SETTLED_MS = 5 * MINUTE_MS;

/** What accounts use of their plans. */
export interface UsageFeature extends Pick<Claims, 'make' | 'stored' | 'failed'> {
  register(http: HttpContext): void;
  /** @throws AppError `quota_exceeded` where it is known that the month has no room left. */
  refuseFull(quota: Quota): void;
  /** The refusal of a batch of which nothing fits, with Retry-After to the month's end. */
  exceeded(quota: Quota): AppError;
  /** Counts one trace of a project; false where it does not fit. */
  takeOne(projectId: ProjectId): Promise<boolean>;
  close(): Promise<void>;
}

export function createUsage(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
  /** Whether other servers count in the same control store. */
  readonly shared: boolean;
  /** Whether the disk budget makes room by dropping traces, and since when. */
  readonly diskFullSince: () => Date | null;
}): UsageFeature {
  const { control, clock, log, mail } = deps;
  const { db } = control;
  const claims = createClaims({
    ...deps,
    async reached(tx, accountId, level, quota) {
      const to = await findOwnerAddress(tx, accountId);
      if (to === undefined) return;
      const month = monthOf(quota.periodAnchor, clock.now());
      await mail.send(tx, noticeMail({ to, level, quota, month, publicUrl: deps.publicUrl() }));
    },
  });
  /** Accounts whose month was seen to be full, until it ends or the plan changes. */
  const full = new Map<AccountId, { readonly until: Date; readonly monthlyTraces: number }>();

  const reconcile = (ageMs: number) =>
    claims.reconcile(new Date(clock.now().getTime() - ageMs)).catch((err: unknown) => {
      log.warn({ err }, 'counted traces could not be compared with stored ones yet');
    });
  // A server of its own finds here only what a crash of its own left.
  let running: Promise<unknown> = reconcile(deps.shared ? SETTLED_MS : -MINUTE_MS);
  const timer = setInterval(() => {
    running = running.then(() => reconcile(SETTLED_MS));
  }, MINUTE_MS).unref();

  const exceeded = (quota: Quota) => {
    const now = clock.now();
    const { end } = monthOf(quota.periodAnchor, now);
    return new AppError('quota_exceeded', undefined, {
      retryAfterSeconds: (end.getTime() - now.getTime()) / 1000,
    });
  };

  return {
    exceeded,
    async make(wanted) {
      const granted = await claims.make(wanted);
      for (const { quota, traces } of wanted) {
        const { accountId, monthlyTraces } = quota;
        if ((granted.get(accountId)?.traces ?? 0) >= traces) continue;
        full.set(accountId, { until: monthOf(quota.periodAnchor, clock.now()).end, monthlyTraces });
      }
      return granted;
    },
    stored: claims.stored,
    failed: claims.failed,
    refuseFull(quota) {
      const known = full.get(quota.accountId);
      if (known === undefined) return;
      if (known.until > clock.now() && known.monthlyTraces === quota.monthlyTraces) throw exceeded(quota);
      full.delete(quota.accountId);
    },
    async takeOne(projectId) {
      const payer = await findPayerOf(db, projectId);
      if (payer === undefined) return false;
      const granted = (await claims.make([{ quota: quotaOf(payer), traces: 1 }])).get(payer.accountId);
      if (granted === undefined || granted.traces === 0) return false;
      claims.stored([granted.id]);
      return true;
    },
    register(http) {
      serve(http, routes.usage.read, async ({ caller }) => ({ usage: await describe(caller) }));
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };

  async function describe(caller: Caller): Promise<Usage> {
    const { organization, userId } = caller;
    const payer = await findPayer(
      db,
      organization === null ? { userId } : { organizationId: organization.id },
    );
    const now = clock.now();
    const quota = quotaOf(payer);
    const month = monthOf(quota.periodAnchor, now);
    const row = await findMonth(db, { accountId: payer.accountId, periodStart: month.start });
    const trialEnd = PLANS[planOf(payer)].trialDays === undefined ? null : payer.periodEnd;
    return {
      plan: planOf(payer),
      traces: { used: row?.traces ?? 0, limit: quota.monthlyTraces },
      currentPeriodStart: month.start.toISOString(),
      currentPeriodEnd: month.end.toISOString(),
      notices: noticesOf({
        row,
        quota,
        month,
        trialEndedAt: trialEnd !== null && trialEnd <= now ? trialEnd : null,
        diskFullSince: deps.diskFullSince(),
        mayAct: organization === null || organization.role === 'owner',
      }),
    };
  }
}

function planOf({ plan }: PayerRow) {
  return plan ?? 'free_trial';
}

/** Without a subscription the months are the calendar's. */
function quotaOf(payer: PayerRow): Quota {
  return {
    accountId: payer.accountId,
    monthlyTraces: PLANS[planOf(payer)].maxTracesPerMonth,
    periodAnchor: payer.periodStart ?? new Date(0),
  };
}
