import express from 'express';
import { buildReport } from './lib/report.mjs';

const app = express();
app.use(express.json());

async function postReport(req, res) {
  if (typeof req.body?.pupil !== 'string') return res.status(400).json({ error: 'pupil is missing' });
  res.json(await buildReport(req.body));
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/reports', postReport);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
