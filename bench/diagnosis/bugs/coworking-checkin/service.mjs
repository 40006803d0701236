import express from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDay, formatTime } from './lib/calendar.mjs';

const app = express();
app.use(express.json());

const passes = new Map([
  ['P100', { holder: 'Lena', site: 'Berlin', day: '2024-06-10' }],
  ['P101', { holder: 'Omar', site: 'Berlin', day: '2024-06-11' }],
  ['P102', { holder: 'Suki', site: 'Berlin', day: '2024-06-11' }],
  ['P103', { holder: 'Jan', site: 'Berlin', day: '2024-06-12' }],
  ['P104', { holder: 'Rosa', site: 'Berlin', day: '2024-06-13' }],
]);

const visits = [];

async function findPass(passId) {
  await sleep(3);
  return passes.get(passId) ?? null;
}

async function recordVisit(pass, at) {
  await sleep(2);
  const visit = { holder: pass.holder, day: pass.day, time: formatTime(at) };
  visits.push(visit);
  return visit;
}

async function checkIn(passId, at) {
  const pass = await findPass(passId);
  if (!pass) return { status: 404, body: { error: 'unknown pass' } };
  const day = formatDay(at);
  if (day !== pass.day) {
    return { status: 409, body: { error: `pass is valid on ${pass.day} only` } };
  }
  const visit = await recordVisit(pass, at);
  return { status: 200, body: visit };
}

app.post('/passes/:id/check-in', async (req, res) => {
  const at = new Date(req.body?.at);
  if (Number.isNaN(at.getTime())) return res.status(400).json({ error: 'invalid time' });
  const { status, body } = await checkIn(req.params.id, at);
  res.status(status).json(body);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
