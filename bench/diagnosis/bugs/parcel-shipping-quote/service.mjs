import express from 'express';
import { quoteParcel } from './lib/quote.mjs';

const customers = new Map([
  ['C1', { id: 'C1', name: 'Nord Books', contract: true }],
  ['C2', { id: 'C2', name: 'J. Peters', contract: false }],
  ['C3', { id: 'C3', name: 'Lamp Studio', contract: false }],
]);

const app = express();
app.use(express.json());

async function postQuote(req, res) {
  const customer = customers.get(req.body.customerId);
  if (!customer) return res.status(404).json({ error: 'unknown customer' });
  const quote = await quoteParcel({ ...req.body, customer });
  if (!quote) return res.status(400).json({ error: 'unknown zone' });
  res.json(quote);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/quotes', postQuote);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
