import { MAIL_LIMITS } from '@throughline/contract';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { ControlDb, ControlStore } from '../control-store/index.ts';
import { AppError } from '../http/errors.ts';
import type { Logger } from '../log.ts';
import { startPeriodicJob } from '../queues/periodic-job.ts';
import { createSealer } from '../start/secrets.ts';
import { type ComposedMail, composeMail, type Mail } from './compose.ts';
import { createMailLimits, type MailLimits } from './limits.ts';
import { claimDue, createMailId, deleteMail, deleteSendsBefore, insertMail, postponeMail } from './store.ts';
import { type MailConfig, openTransport } from './transport.ts';

const MINUTE_MS = 60_000;
/**
 * Delays before queued mail is sent. The first is short, since someone may be waiting for a link. The second is for mail whose transaction
 * commits only after the first delay.
 */
const SOON_MS = [20, 250] as const;
const POLL_MS = 15_000;
/** Time for which sent mails are counted. No limit covers more than a day. */
const COUNTED_MS = 24 * 60 * MINUTE_MS;
const FORGET_MS = 60 * MINUTE_MS;
const LEASE_MS = 2 * MINUTE_MS;
const AT_ONCE = 10;
/** Minutes to wait after each failed attempt. After the last delay and one more failed attempt, the mail is abandoned. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 360, 720, 1440] as const;

export interface Mailer extends MailLimits {
  /**
   * Queues a mail, in the caller's transaction if `db` is one. Any server sends the mail once the transaction commits. If a mail is above a
   * limit, the outcome depends on its kind in `MAIL_LIMITS`: for `left out`, this method returns false; for `refused`, it throws.
   * @throws AppError `too_many_requests`
   */
  send(db: ControlDb, mail: Mail): Promise<boolean>;
  /**
   * Sends a mail immediately, for callers that have their own queue. `id` becomes the Message-ID, which is the same for every attempt.
   * Rejects if sending fails.
   */
  sendNow(id: string, mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the mailer. Mail never delays a response: it is encrypted and queued in the control store, and sent from there, with retries for
 * two days.
 */
export function createMailer(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretKey: Buffer;
  readonly config: MailConfig;
}): Mailer {
  const { clock, log } = deps;
  const { db } = deps.control;
  const sealer = createSealer(deps.secretKey, 'mail');
  const transport = openTransport(deps.config);

  const deliver = async (mail: { id: string; sealed: string; attempts: number }) => {
    try {
      const message = readMail(sealer.open(mail.sealed, mail.id));
      if (message.to !== '') await transport.deliver(mail.id, message);
      await deleteMail(db, mail.id);
    } catch (err) {
      const waitMinutes = RETRY_MINUTES[mail.attempts - 1];
      if (waitMinutes === undefined) {
        log.error({ err, mail: mail.id }, 'an email could not be sent in any attempt and was deleted');
        await deleteMail(db, mail.id);
        return;
      }
      log.warn({ err, mail: mail.id, waitMinutes }, 'an email could not be sent; the server will try again');
      await postponeMail(db, mail.id, new Date(clock.now().getTime() + waitMinutes * MINUTE_MS));
    }
  };
  const sendDue = async (closing: AbortSignal) => {
    for (;;) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const claimed = closing.aborted ? [] : await claimDue(db, { now, leaseUntil, limit: AT_ONCE });
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(deliver));
    }
  };
  const sending = startPeriodicJob({
    everyMs: POLL_MS,
    work: sendDue,
    log,
    failure: 'the mail queue could not be read',
  });
  const forgetting = startPeriodicJob({
    everyMs: FORGET_MS,
    work: () => deleteSendsBefore(db, new Date(clock.now().getTime() - COUNTED_MS)),
    log,
    failure: 'old counts of sent emails could not be deleted',
  });
  const limits = createMailLimits(deps);
  const isWithinLimits = async (tx: ControlDb, { to, limit }: Mail): Promise<boolean> => {
    if (limit === undefined) return true;
    const { kind, ...parties } = limit;
    try {
      await limits.count(tx, kind, { ...parties, recipient: to });
      return true;
    } catch (error) {
      const isLeftOut = error instanceof AppError && MAIL_LIMITS[kind].above === 'left out';
      if (!isLeftOut) throw error;
      log.info({ kind }, 'an email was not sent, because its limit is reached');
      return false;
    }
  };
  const soon = new Set<NodeJS.Timeout>();

  return {
    count: limits.count,
    async send(tx, mail) {
      if (!(await isWithinLimits(tx, mail))) return false;
      const id = createMailId();
      await insertMail(tx, {
        id,
        sealed: sealer.seal(JSON.stringify(composeMail(mail)), id),
        now: clock.now(),
      });
      for (const delayMs of SOON_MS) {
        const timer = setTimeout(() => {
          soon.delete(timer);
          void sending.trigger();
        }, delayMs);
        soon.add(timer.unref());
      }
      return true;
    },
    sendNow: (id, mail) => transport.deliver(id, composeMail(mail)),
    async close() {
      for (const timer of soon) clearTimeout(timer);
      await sending.close();
      await forgetting.close();
      transport.close();
    },
  };
}

const Sealed = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  unsubscribeUrl: z.string().optional(),
});

function readMail(text: string): ComposedMail {
  return Sealed.parse(JSON.parse(text));
}
