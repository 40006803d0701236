import express from 'express';
import { planRefill } from './lib/refill.mjs';

const app = express();
app.use(express.json());

function isValid(body) {
  return Number.isInteger(body?.days) && body.days > 0 && Number.isInteger(body.onHand) && body.onHand >= 0;
}

async function postPlan(req, res) {
  if (!isValid(req.body)) return res.status(400).json({ error: 'days and onHand must be whole numbers' });
  const plan = await planRefill(req.body);
  if (!plan) return res.status(404).json({ error: 'unknown prescription' });
  res.json(plan);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/refill-plans', postPlan);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
