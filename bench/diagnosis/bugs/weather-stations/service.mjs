import express from 'express';
import { currentReading } from './lib/readings.mjs';
import { assignGateway } from './lib/directory.mjs';

const app = express();
app.use(express.json());

app.get('/stations/:id/reading', async (req, res) => {
  const reading = await currentReading(req.params.id);
  if (!reading) return res.status(404).json({ error: 'unknown station' });
  res.json({ station: req.params.id, ...reading });
});

app.put('/stations/:id/gateway', async (req, res) => {
  const moved = await assignGateway(req.params.id, req.body.gateway);
  res.status(moved ? 200 : 404).json({ moved });
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
