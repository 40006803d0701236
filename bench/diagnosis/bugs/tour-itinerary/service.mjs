import express from 'express';
import { planTour } from './lib/itinerary.mjs';

const app = express();
app.use(express.json());

async function postTour(req, res) {
  const plan = await planTour(req.body);
  if (!plan) return res.status(404).json({ error: 'unknown tour' });
  res.json(plan);
}

function handleError(error, req, res, next) {
  res.status(error.status ?? 500).json({ error: error.message });
}

app.post('/tours', postTour);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
