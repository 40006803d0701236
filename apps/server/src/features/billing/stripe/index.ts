import type { Clock } from '../../../platform/clock.ts';
import type { StripeSettings } from '../../../platform/config.ts';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import type { HttpContext } from '../../../platform/http/serve.ts';
import type { Logger } from '../../../platform/log.ts';
import type { PaymentProvider } from '../provider.ts';
import type { Reconciler } from '../reconciler.ts';
import { createStripeClient } from './client.ts';
import { createStripePrices } from './prices.ts';
import { createStripeProvider } from './provider.ts';
import { createStripeSubscriptions } from './subscriptions.ts';
import { registerWebhook } from './webhook.ts';

export interface Stripe {
  readonly provider: PaymentProvider;
  register(http: HttpContext, reconciler: Reconciler): void;
}

export function createStripe(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: () => string;
  readonly settings: StripeSettings;
}): Stripe {
  const client = createStripeClient(deps.settings);
  const prices = createStripePrices(client);
  const subscriptions = createStripeSubscriptions({ client, prices });
  return {
    provider: createStripeProvider({ client, prices, subscriptions, publicUrl: deps.publicUrl }),
    register: ({ app }, reconciler) =>
      registerWebhook(app, { ...deps, reconciler, secret: deps.settings.webhookSecret }),
  };
}
