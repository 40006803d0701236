import express from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, warningLevel } from './lib/statistics.mjs';

const app = express();

const gauges = new Map([
  ['cologne', { river: 'Rhine', flood: 620, levels: [312, 318, 305, 331, 327] }],
  ['dresden', { river: 'Elbe', flood: 400, levels: [142, 139, 151, 148, 144] }],
  ['passau', { river: 'Danube', flood: 700, levels: [512, 498, 505, 520, 533] }],
  ['trier', { river: 'Moselle', flood: 90, levels: [95, 102, 8, 110, 12] }],
  ['celle', { river: 'Aller', flood: 80, levels: [55, 61, 58, 49, 52] }],
]);

async function loadGauge(id) {
  await sleep(3);
  return gauges.get(id) ?? null;
}

async function describeGauge(id, last) {
  const gauge = await loadGauge(id);
  if (!gauge) return null;
  const recent = gauge.levels.slice(-last);
  const level = median(recent);
  return {
    gauge: id,
    river: gauge.river,
    readings: recent.length,
    median: level,
    warning: warningLevel(level, gauge.flood),
  };
}

app.get('/gauges/:id/summary', async (req, res) => {
  const last = Number.parseInt(req.query.last ?? '5', 10);
  if (!(last > 0)) return res.status(400).json({ error: 'last must be positive' });
  const summary = await describeGauge(req.params.id, last);
  if (!summary) return res.status(404).json({ error: 'unknown gauge' });
  res.json(summary);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
