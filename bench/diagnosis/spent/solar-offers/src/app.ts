import express, { type ErrorRequestHandler } from 'express';
import { makeOffer } from './offers.ts';
import { findSite } from './sites.ts';

export const app = express();
app.use(express.json());

app.get('/sites/:id', async (req, res) => {
  res.json(await findSite(req.params.id));
});

app.post('/sites/:id/offers', async (req, res) => {
  const site = await findSite(req.params.id);
  res.json(await makeOffer(site, req.body.panels, req.body.battery === true));
});

const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
};
app.use(onError);
