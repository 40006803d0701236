import { formatCount, formatDay, getLimit, PLANS, type UsageNotice } from '@throughline/contract';
import type { Mail } from '../../platform/mail/index.ts';
import type { Month } from './month.ts';
import { hasReached, type NoticeLevel, type Quota } from './quota.ts';
import type { MonthRow, PayerRow } from './store.ts';

/** Lists the notices for an account's owner, most severe first. Returns an empty list for members who cannot act on the notices. */
export function listNotices(state: {
  readonly row: MonthRow | undefined;
  readonly quota: Quota;
  readonly month: Month;
  readonly payer: PayerRow;
  readonly now: Date;
  readonly diskFullSince: Date | null;
  readonly clockAheadMs: number | null;
  readonly hasDamage: boolean;
  readonly mayAct: boolean;
}): UsageNotice[] {
  const { row, quota, month, diskFullSince } = state;
  if (!state.mayAct) return [];
  const notices = planNotices(state.payer, state.now);
  if (state.hasDamage) {
    const message =
      'Part of the stored traces is damaged and missing from lists and stats. The server log and `throughline doctor` name the files.';
    notices.unshift({ kind: 'traces_damaged', message, since: null });
  }
  const used = row?.traces ?? 0;
  const level = hasReached(100, used, quota.plan) ? 100 : hasReached(80, used, quota.plan) ? 80 : 0;
  if (level !== 0) {
    const since = level === 100 ? row?.reached100At : row?.reached80At;
    notices.push({
      kind: `quota_${level}`,
      message: formatNotice(level, quota, month),
      since: since?.toISOString() ?? null,
    });
  }
  if (diskFullSince !== null) {
    const message = 'The disk is nearly full: the oldest successful traces are being deleted to free space.';
    notices.push({ kind: 'disk_full', message, since: diskFullSince.toISOString() });
  }
  if (state.clockAheadMs !== null) notices.push(buildClockNotice(state.clockAheadMs));
  return notices;
}

const DAY_MS = 86_400_000;

function buildClockNotice(aheadMs: number): UsageNotice {
  const days = formatCount(Math.round(aheadMs / DAY_MS));
  const message = `The server's clock has moved ${days} days ahead since the server last ran. If the clock is right, do nothing: expired traces are deleted in a day or two. If the clock is wrong, correct it: no trace was deleted yet.`;
  return { kind: 'clock_ahead', message, since: null };
}

function planNotices(payer: PayerRow, now: Date): UsageNotice[] {
  const { plan, accessEndsAt, pastDueSince } = payer;
  if (plan === null || accessEndsAt === null) return [];
  const until = accessEndsAt.toISOString();
  if (accessEndsAt > now) {
    if (pastDueSince === null) return [];
    const message = `The payment for ${PLANS[plan].name} failed: the plan ends on ${until.slice(0, 10)} unless it is paid.`;
    return [{ kind: 'payment_failed', message, since: pastDueSince.toISOString() }];
  }
  const ended = payer.endedPlan ?? plan;
  const isTrial = ended === 'free_trial';
  const what = isTrial ? 'Your free trial' : `Your ${PLANS[ended].name} plan`;
  const message = `${what} has ended: new traces are not accepted until you choose a plan.`;
  return [{ kind: isTrial ? 'trial_ended' : 'plan_ended', message, since: until }];
}

export function buildNoticeMail(given: {
  readonly to: string;
  readonly level: NoticeLevel;
  readonly quota: Quota;
  readonly month: Month;
  readonly publicUrl: string;
}): Mail {
  const { to, level, quota, month, publicUrl } = given;
  return {
    to,
    subject: `${level} % of this month's traces are used`,
    paragraphs: [formatNotice(level, quota, month), 'Stored traces are not affected.'],
    action: { label: 'See your plan', url: `${publicUrl}/billing` },
  };
}

function formatNotice(level: NoticeLevel, { plan }: Quota, { end }: Month): string {
  const limit = formatCount(getLimit('traces', plan));
  const until = formatDay(end);
  return level === 100
    ? `All ${limit} traces of this month are used. A few more are accepted, then new traces are refused until ${until}, or until you upgrade.`
    : `80 % of this month's ${limit} traces are used. The month ends on ${until}.`;
}
