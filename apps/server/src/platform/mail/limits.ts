import {
  formatCounted,
  type LimitedMail,
  MAIL_LIMITS,
  type MailKind,
  type MailParty,
} from '@throughline/contract';
import type { Clock } from '../clock.ts';
import type { ControlDb } from '../control-store/index.ts';
import { AppError } from '../http/errors.ts';
import { hashToken } from '../start/secrets.ts';
import { countSend } from './store.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The parties whose limits a mail counts towards: the recipient's address, and the ids of the sender and the
 * organization.
 */
export type MailParties = { readonly [party in MailParty]?: string };

export interface MailLimits {
  /**
   * Counts a mail before it is sent, in the caller's transaction if `db` is one. Counts nothing if the mail
   * is above a limit.
   * @throws AppError `too_many_requests` with the time to wait
   */
  count(db: ControlDb, kind: MailKind, parties: MailParties): Promise<void>;
}

/** Counts in the control store, so that all servers share the counts and restarts do not reset them. */
export function createMailLimits({ clock }: { readonly clock: Clock }): MailLimits {
  return {
    async count(db, kind, parties) {
      const now = clock.now();
      const { limits }: LimitedMail = MAIL_LIMITS[kind];
      const rules = limits.flatMap(({ per, max, hours }) => {
        const party = parties[per];
        if (party === undefined) return [];
        return [{ per, key: `${kind} ${per} ${hashToken(party)}`, max, windowMs: hours * HOUR_MS }];
      });
      const met = await countSend(db, rules, now);
      if (met === undefined) return;
      const waitMs = met.freeAt.getTime() - now.getTime();
      throw new AppError('too_many_requests', describeRefusal(kind, met.rule.per, waitMs), {
        retryAfterSeconds: waitMs / 1000,
      });
    },
  };
}

/** Returns the limit for notices to an unconfirmed address, which may belong to a stranger; no limit for a confirmed address. */
export function limitNotice(user: { readonly emailVerifiedAt: Date | null }): {
  readonly limit?: { readonly kind: MailKind };
} {
  return user.emailVerifiedAt === null ? { limit: { kind: 'notice' } } : {};
}

function describeRefusal(kind: MailKind, per: MailParty, waitMs: number): string {
  const { plural } = MAIL_LIMITS[kind];
  const what = {
    recipient: `Too many ${plural} were sent to this address.`,
    sender: `You have sent too many ${plural}.`,
    organization: `Your organization has sent too many ${plural}.`,
  }[per];
  return `${what} Try again in ${formatWait(waitMs)}.`;
}

function formatWait(ms: number): string {
  const [count, unit] =
    ms > HOUR_MS ? [Math.ceil(ms / HOUR_MS), 'hour'] : [Math.max(1, Math.ceil(ms / MINUTE_MS)), 'minute'];
  return formatCounted(count, unit);
}
