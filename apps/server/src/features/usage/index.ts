import { getLimit, routes, type Usage } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, planInForce } from '../../platform/control-store/index.ts';
import type { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { computeMonth, type Month } from './month.ts';
import { checkMonths } from './month-check.ts';
import { buildNoticeMail, listNotices } from './notices.ts';
import { buildQuotaError, isSameQuota, type Quota } from './quota.ts';
import { createReservations, type GrantedQuota, type Reservations } from './reservations.ts';
import {
  type AccountId,
  findMonth,
  findOwnerAddress,
  findPayer,
  findProjectPayer,
  type PayerRow,
  type PayingAccount,
} from './store.ts';

export type { Quota } from './quota.ts';
export type { GrantedQuota } from './reservations.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** Time after which a server has either stored the traces that it counted, or has given up. */
const SETTLED_MS = 5 * MINUTE_MS;

/** Tracks how much of its plan limits each account uses. */
export interface UsageFeature extends Pick<Reservations, 'reserve' | 'commit' | 'release'> {
  register(http: HttpContext): void;
  /** @throws AppError `quota_exceeded` if the month's quota is known to be used up */
  refuseFull(quota: Quota): void;
  /**
   * Builds the error for a batch of which no trace fits into the month's quota. The error's Retry-After is the time until the end of the
   * month.
   */
  exceeded(quota: Quota): AppError;
  /** Reserves quota for as many of the project's traces as fit; undefined if none fit. */
  reserveForProject(projectId: ProjectId, traces: number): Promise<GrantedQuota | undefined>;
  readMonth(account: PayingAccount): Promise<{ readonly traces: number; readonly month: Month }>;
  close(): Promise<void>;
}

export function createUsage(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mail: Mailer;
  readonly publicUrl: () => string;
  /** True if other servers count traces in the same control store. */
  readonly shared: boolean;
  /** Returns the time since which traces have been evicted to free disk space; null if none were evicted in the last 24 hours. */
  readonly diskFullSince: () => Promise<Date | null>;
  /** Returns how far the clock is ahead of the trusted time; null if the clock is at most a day ahead. */
  readonly clockAheadMs: () => number | null;
  /** True while stored traces are damaged and therefore missing from responses. */
  readonly hasDamage: () => boolean;
}): UsageFeature {
  const { control, clock, log, mail } = deps;
  const { db } = control;
  const reservations = createReservations({
    ...deps,
    async reached(tx, accountId, level, quota) {
      const to = await findOwnerAddress(tx, accountId);
      if (to === undefined) return;
      const month = computeMonth(quota.periodAnchor, clock.now());
      await mail.send(tx, buildNoticeMail({ to, level, quota, month, publicUrl: deps.publicUrl() }));
    },
  });
  /**
   * Accounts whose month's quota is known to be used up. Entries expire after a minute, because quota can be released meanwhile for traces
   * that were counted but not stored.
   */
  const full = new Map<AccountId, { readonly quota: Quota; readonly used: number; readonly until: Date }>();

  const reconcile = (ageMs: number) =>
    reservations.reconcile(new Date(clock.now().getTime() - ageMs)).catch((err: unknown) => {
      log.warn(
        { err },
        'the counts of traces could not be compared with the stored traces; the server will try again',
      );
    });
  // A server that does not share its control store need not wait: it finds only reservations that its own crash left behind.
  let settledMs = deps.shared ? SETTLED_MS : -MINUTE_MS;
  let checkedAt = clock.now().getTime();
  const checkDaily = async () => {
    const nowMs = clock.now().getTime();
    if (nowMs - checkedAt < DAY_MS) return;
    checkedAt = nowMs;
    await checkMonths(deps);
  };
  const job = startPeriodicJob({
    everyMs: MINUTE_MS,
    firstMs: 0,
    async work() {
      const ageMs = settledMs;
      settledMs = SETTLED_MS;
      await reconcile(ageMs);
      await checkDaily();
    },
    log,
    failure: "the months' counts could not be compared with the stored traces; the server will try again",
  });

  const exceeded = (quota: Quota) => {
    // The rejected reservation has stored the month's usage in `full`.
    const used = full.get(quota.accountId)?.used ?? getLimit('traces', quota.plan);
    return buildQuotaError(quota, used, clock.now());
  };

  return {
    exceeded,
    async reserve(wanted) {
      const granted = await reservations.reserve(wanted);
      for (const { quota, traces } of wanted) {
        const { accountId, periodAnchor } = quota;
        const grant = granted.get(accountId);
        if (grant === undefined || grant.traces >= traces) continue;
        const now = clock.now();
        const { end } = computeMonth(periodAnchor, now);
        const until = new Date(Math.min(end.getTime(), now.getTime() + MINUTE_MS));
        full.set(accountId, { quota, used: grant.used, until });
      }
      return granted;
    },
    commit: reservations.commit,
    release: reservations.release,
    refuseFull(quota) {
      const known = full.get(quota.accountId);
      if (known === undefined) return;
      if (known.until > clock.now() && isSameQuota(known.quota, quota)) throw exceeded(quota);
      full.delete(quota.accountId);
    },
    async reserveForProject(projectId, traces) {
      const payer = await findProjectPayer(db, projectId);
      if (payer === undefined) return undefined;
      const granted = (await reservations.reserve([{ quota: findQuota(payer, clock.now()), traces }])).get(
        payer.accountId,
      );
      return granted === undefined || granted.traces === 0 ? undefined : granted;
    },
    async readMonth(account) {
      const payer = await findPayer(db, account);
      const month = computeMonth(findQuota(payer, clock.now()).periodAnchor, clock.now());
      const row = await findMonth(db, { accountId: payer.accountId, periodStart: month.start });
      return { traces: row?.traces ?? 0, month };
    },
    register(http) {
      serve(http, routes.usage.read, async ({ caller }) => ({ usage: await describe(caller) }));
    },
    close: job.close,
  };

  async function describe(caller: Caller): Promise<Usage> {
    const { organization, userId } = caller;
    const payer = await findPayer(
      db,
      organization === null ? { userId } : { organizationId: organization.id },
    );
    const now = clock.now();
    const quota = findQuota(payer, now);
    const month = computeMonth(quota.periodAnchor, now);
    const row = await findMonth(db, { accountId: payer.accountId, periodStart: month.start });
    return {
      plan: quota.plan,
      traces: { used: row?.traces ?? 0, limit: getLimit('traces', quota.plan) },
      currentPeriodStart: month.start.toISOString(),
      currentPeriodEnd: month.end.toISOString(),
      notices: listNotices({
        row,
        quota,
        month,
        payer,
        now,
        diskFullSince: await deps.diskFullSince(),
        clockAheadMs: deps.clockAheadMs(),
        hasDamage: deps.hasDamage(),
        mayAct: organization === null || organization.role === 'owner',
      }),
    };
  }
}

/** Returns an account's quota. Without a subscription, billing months are calendar months. */
function findQuota(payer: PayerRow, now: Date): Quota {
  return {
    accountId: payer.accountId,
    plan: planInForce(payer, now),
    kind: payer.kind,
    periodAnchor: payer.anchorAt ?? new Date(0),
  };
}
