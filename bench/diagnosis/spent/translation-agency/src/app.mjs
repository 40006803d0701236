import express from 'express';
import { authenticate } from './access.mjs';
import { acceptQuote, quoteFor } from './quotes.mjs';
import { enterAs } from './session.mjs';

export const app = express();
app.use(express.json());

app.use('/projects', async (req, res, next) => {
  enterAs(await authenticate(req.get('authorization') ?? ''));
  next();
});

app.get('/projects/:id/quote', async (req, res) => {
  res.json(await quoteFor(req.params.id, req.query.express === 'yes'));
});

app.post('/projects/:id/acceptance', async (req, res) => {
  res.status(201).json(await acceptQuote(req.params.id, req.body.reference));
});

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});
