import express from 'express';
import { QuoteBuilder } from './lib/quote-builder.mjs';
import { findPrice } from './lib/menu.mjs';

const app = express();
app.use(express.json());

const builder = new QuoteBuilder();

async function quoteEvent({ guests, dishes, budget }) {
  builder.start(guests);
  for (const dish of dishes) {
    const price = await findPrice(dish);
    builder.addDish(dish, price);
  }
  const quote = builder.finish();
  if (quote.total > budget) {
    return { status: 422, body: { error: `quote of ${quote.total} exceeds the budget of ${budget}` } };
  }
  return { status: 200, body: { total: quote.total, dishes: quote.dishes } };
}

app.post('/quotes', async (req, res) => {
  const { guests, dishes, budget } = req.body ?? {};
  if (!(guests > 0) || !Array.isArray(dishes) || !(budget > 0)) {
    return res.status(400).json({ error: 'guests, dishes and budget are required' });
  }
  const { status, body } = await quoteEvent({ guests, dishes, budget });
  res.status(status).json(body);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
