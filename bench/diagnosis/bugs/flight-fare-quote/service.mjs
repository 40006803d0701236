import express from 'express';
import { quoteFare } from './lib/fares.mjs';

const members = new Map([
  ['FF100', { name: 'R. Singh', tier: 'gold' }],
  ['FF101', { name: 'B. Costa', tier: 'silver' }],
  ['FF102', { name: 'T. Aalto', tier: 'silver' }],
]);

const app = express();
app.use(express.json());

async function getMember(req, res) {
  const member = members.get(req.params.id);
  if (!member) return res.status(404).json({ error: 'no such member' });
  res.json(member);
}

async function postQuote(req, res) {
  const quote = await quoteFare(req.body);
  if (!quote) return res.status(400).json({ error: 'unknown route' });
  res.json(quote);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.get('/internal/members/:id', getMember);
app.post('/quotes', postQuote);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
