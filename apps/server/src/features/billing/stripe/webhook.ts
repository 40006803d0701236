import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Reconciler } from '../reconciler.ts';
import { findByProvider, hasPaymentEvent } from '../store.ts';
import { Message } from './shapes.ts';
import { isSigned } from './signature.ts';

const PATH = '/api/billing/stripe/webhook';
const BODY_LIMIT = 512 * 1024;

/**
 * Registers the route for Stripe's messages. A message only triggers a query of Stripe's current state, so messages can arrive twice, late,
 * in any order, or not at all. If the response is not 2xx, Stripe sends the message again.
 */
export function registerWebhook(
  app: FastifyInstance,
  deps: {
    readonly control: ControlStore;
    readonly clock: Clock;
    readonly log: Logger;
    readonly reconciler: Reconciler;
    readonly secret: string;
  },
): void {
  const { db } = deps.control;
  const handle = async ({ id, type, data }: Message) => {
    const about = findSubject(data.object);
    if (about === undefined || (await hasPaymentEvent(db, id))) return;
    const row = await findByProvider(db, about);
    if (row === undefined) {
      deps.log.info({ message: id, type }, 'a message of the payment provider belongs to no account');
      return;
    }
    await deps.reconciler.reconcileAccount(row.id, { messageId: id, hint: about.subscriptionRef });
  };
  void app.register(async (own) => {
    // The signature covers the body's bytes as received, so the body must not be parsed before the signature is checked.
    own.removeAllContentTypeParsers();
    own.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      async (_request: unknown, body: unknown) => body,
    );
    own.post(PATH, async (request, reply) => {
      const body = String(request.body ?? '');
      const header = request.headers['stripe-signature'];
      if (typeof header !== 'string' || !isSigned(body, header, deps.secret, deps.clock.now()))
        throw new AppError('invalid_signature');
      await handle(readMessage(body));
      return reply.code(200).send({ received: true });
    });
  });
}

function readMessage(body: string): Message {
  try {
    return Message.parse(JSON.parse(body));
  } catch (cause) {
    throw new AppError('invalid_json', 'The message does not come from Stripe.', { cause });
  }
}

/**
 * Returns Stripe's id of the subscription that a message concerns, and Throughline's id of the same subscription if the message contains
 * that id. Returns undefined if the message concerns no subscription.
 */
function findSubject(object: Message['data']['object']) {
  const details = object.parent?.subscription_details;
  const subscriptionRef =
    object.object === 'subscription' ? object.id : (details?.subscription ?? object.subscription);
  if (typeof subscriptionRef !== 'string') return undefined;
  const id =
    object.metadata?.throughline_subscription ??
    details?.metadata?.throughline_subscription ??
    object.client_reference_id;
  return { subscriptionRef, id: isId(id) ? id : undefined };
}

function isId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
