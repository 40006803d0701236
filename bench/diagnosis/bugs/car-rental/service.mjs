import express from 'express';
import { quoteRental } from './lib/quotes.mjs';

const app = express();
app.use(express.json());

app.post('/quotes', async (req, res) => {
  const { vehicle, days, extras = [] } = req.body ?? {};
  if (!vehicle || !Number.isInteger(days) || days < 1) {
    return res.status(400).json({ error: 'vehicle and days required' });
  }
  const quote = await quoteRental(vehicle, days, extras);
  if (!quote) return res.status(404).json({ error: 'unknown vehicle' });
  res.json(quote);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
