import express from 'express';
import { findCard, debit } from './lib/cards.mjs';
import { priceBasket } from './lib/basket.mjs';

const app = express();
app.use(express.json());

async function checkout({ card: code, items }) {
  const basket = await priceBasket(items);
  const card = await findCard(code);
  if (!card) return { status: 404, body: { error: 'unknown card' } };
  if (card.balance < basket.total) {
    return { status: 402, body: { error: 'insufficient balance' } };
  }
  await debit(card.code, basket.total);
  return { status: 200, body: { paid: basket.total, currency: 'EUR', lines: basket.lines.length } };
}

app.post('/checkout', async (req, res) => {
  const { card, items } = req.body ?? {};
  if (!card || !Array.isArray(items)) return res.status(400).json({ error: 'card and items required' });
  const result = await checkout({ card, items });
  res.status(result.status).json(result.body);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
