import express, { type ErrorRequestHandler } from 'express';
import { AddressBook } from './customers/address-book.ts';
import { SubscriptionRepository } from './customers/subscription-repository.ts';
import { RenewalService } from './renewals/renewal-service.ts';
import { ShippingRates } from './renewals/shipping-rates.ts';

const subscriptions = new SubscriptionRepository();
const renewals = new RenewalService(subscriptions, new ShippingRates(new AddressBook()));

export const app = express();
app.use(express.json());

app.get('/subscriptions/:id', async (req, res) => {
  res.json(await subscriptions.get(req.params.id));
});

app.post('/subscriptions/:id/renewals', async (req, res) => {
  res.status(201).json(await renewals.renew(req.params.id, req.body.months));
});

const failed: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
};
app.use(failed);
