import express from 'express';
import { makeBill } from './lib/bill.mjs';

const app = express();
app.use(express.json());

async function postBill(req, res) {
  if (!Array.isArray(req.body?.items)) return res.status(400).json({ error: 'items are missing' });
  res.json(await makeBill(req.body));
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/bills', postBill);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
