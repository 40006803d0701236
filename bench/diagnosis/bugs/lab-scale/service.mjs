import express from 'express';
import { weigh } from './lib/scale.mjs';

const app = express();
app.use(express.json());

const DEFAULT_SETTLE_MS = 6;

function readOptions(body) {
  const settle = body.settle ?? DEFAULT_SETTLE_MS;
  if (Number.isNaN(Number(settle)) || settle < 0 || settle > 60) return null;
  return { settle, unit: body.unit === 'mg' ? 'mg' : 'g' };
}

app.post('/samples/:id/weighings', async (req, res) => {
  const options = readOptions(req.body ?? {});
  if (!options) return res.status(400).json({ error: 'settle must be 0 to 60 ms' });
  const result = await weigh(req.params.id, options);
  if (!result) return res.status(404).json({ error: 'no such sample' });
  res.json({ sample: req.params.id, ...result });
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
