import express from 'express';
import { exportSamples } from './lib/export.mjs';
import { hasAthlete } from './lib/samples.mjs';

const app = express();

function parseSize(text) {
  if (text === undefined) return undefined;
  const size = Number.parseInt(text, 10);
  return size > 0 ? Math.min(size, 200) : undefined;
}

app.get('/athletes/:id/export', async (req, res) => {
  const { id } = req.params;
  if (!(await hasAthlete(id))) return res.status(404).json({ error: 'unknown athlete' });
  res.json(await exportSamples(id, parseSize(req.query.batch)));
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
