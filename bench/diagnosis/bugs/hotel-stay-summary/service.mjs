import express from 'express';
import { summarize } from './lib/stays.mjs';

const app = express();

async function getSummary(req, res) {
  const summary = await summarize(req.params.id);
  if (!summary) return res.status(404).json({ error: 'no such stay' });
  res.json(summary);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.get('/stays/:id/summary', getSummary);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
