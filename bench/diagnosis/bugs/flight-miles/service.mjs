import express from 'express';
import { creditFlight } from './lib/credit.mjs';

const app = express();
app.use(express.json());

app.post('/flights/credit', async (req, res) => {
  const { member, from, to, bookingClass } = req.body ?? {};
  if (!member || !from || !to || !bookingClass) {
    return res.status(400).json({ error: 'member, from, to and bookingClass are required' });
  }
  const credited = await creditFlight(member, { from, to, bookingClass: bookingClass.toUpperCase() });
  if (!credited) return res.status(404).json({ error: 'route not served' });
  res.json(credited);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
