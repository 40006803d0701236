import express from 'express';
import { submitReading } from './lib/readings.mjs';

const app = express();
app.use(express.json());

async function postReading(req, res) {
  const result = await submitReading(req.params.id, req.body);
  res.status(201).json(result);
}

function handleError(error, req, res, next) {
  res.status(error.status ?? 500).json({ error: error.message });
}

app.post('/meters/:id/readings', postReading);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
