import { AlertPayload, MAX_DELIVERY_ATTEMPTS } from '@throughline/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Mailer } from '../../../platform/mail/index.ts';
import { PostFailed, postJson } from '../../../platform/outgoing/post-json.ts';
import type { Sealer } from '../../../platform/start/secrets.ts';
import { composeAlertMail, composeSlackBody } from '../message.ts';
import { type ClaimedDelivery, claimDeliveries, finishTry } from './deliveries-store.ts';
import { signHeaders } from './signature.ts';

/** The time for which a server claims a delivery. The time must be longer than an attempt to send the delivery takes. */
const LEASE_MS = 2 * 60_000;
const AT_ONCE = 30;
const FIRST_WAIT_MS = 30_000;

export interface DeliverDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly mail: Pick<Mailer, 'sendNow'>;
  /** True if webhooks can be sent to addresses of the server's own network. */
  readonly allowPrivate: boolean;
}

/** Thrown if further attempts to send a delivery are pointless. */
class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}

/** Returns how long to wait after a failed attempt. The time doubles with each attempt. Returns undefined after the last attempt. */
function findWaitMs(attempts: number): number | undefined {
  return attempts >= MAX_DELIVERY_ATTEMPTS ? undefined : FIRST_WAIT_MS * 2 ** (attempts - 1);
}

/** Returns a function that sends all due deliveries. */
export function createDelivering(deps: DeliverDeps): (isClosed: () => boolean) => Promise<void> {
  const { clock, log, sealer, allowPrivate } = deps;
  const { db } = deps.control;

  const openSealed = (sealed: string | null, place: string): string => {
    if (sealed === null) throw new Undeliverable('The alert no longer has this URL');
    const text = sealer.tryOpen(sealed, place);
    if (text === undefined) throw new Undeliverable('The URL cannot be decrypted: enter the URL again');
    return text;
  };

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const { id: deliveryId, ruleId } = delivery;
    const sealed = sealer.tryOpen(delivery.sealedPayload, deliveryId);
    if (sealed === undefined) throw new Undeliverable('The message cannot be decrypted');
    const payload = AlertPayload.parse(JSON.parse(sealed));
    switch (delivery.channel) {
      case 'email':
        return deps.mail.sendNow(deliveryId, composeAlertMail(delivery.target, payload));
      case 'webhook': {
        const url = openSealed(delivery.sealedWebhook, `${ruleId} webhook`);
        const secret = openSealed(delivery.sealedSecret, `${ruleId} secret`);
        const body = JSON.stringify(payload);
        const headers = signHeaders(secret, { deliveryId, at: clock.now(), body });
        return postJson({ url, body, headers, allowPrivate });
      }
      case 'slack': {
        const url = openSealed(delivery.sealedSlack, `${ruleId} slack`);
        return postJson({ url, body: composeSlackBody(payload), headers: {}, allowPrivate });
      }
    }
  };

  const tryOnce = async (delivery: ClaimedDelivery): Promise<void> => {
    const { attempts } = delivery;
    try {
      // If the server was killed during the last allowed attempt, the delivery is still due. The delivery fails here instead of being sent
      // twice.
      if (attempts > MAX_DELIVERY_ATTEMPTS) throw new Undeliverable('The last attempt was interrupted');
      await send(delivery);
      const now = clock.now();
      await finishTry(db, delivery, { state: 'sent', dueAt: now, finishedAt: now, problem: null });
    } catch (err) {
      const now = clock.now();
      const waitMs = err instanceof Undeliverable ? undefined : findWaitMs(attempts);
      log.warn({ err, delivery: delivery.id, attempts }, 'an alert could not be delivered');
      await finishTry(db, delivery, {
        state: waitMs === undefined ? 'failed' : 'waiting',
        dueAt: new Date(now.getTime() + (waitMs ?? 0)),
        finishedAt: waitMs === undefined ? now : null,
        problem: describeProblem(err, delivery),
      });
    }
  };

  return async (isClosed) => {
    while (!isClosed()) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const claimed = await claimDeliveries(db, { now, leaseUntil, limit: AT_ONCE });
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(tryOnce));
    }
  };
}

/** Describes to members of the project why an attempt failed. Details are only for the operator's log. */
function describeProblem(error: unknown, { channel }: ClaimedDelivery): string {
  if (error instanceof Undeliverable || error instanceof PostFailed) return error.message;
  return channel === 'email' ? 'The mail server did not accept the message' : 'The message could not be sent';
}
