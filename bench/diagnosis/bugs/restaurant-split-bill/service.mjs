import express from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { billTotal, sumPayments } from './lib/bill.mjs';

const app = express();
app.use(express.json());

const tables = new Map([
  [1, { server: 'Kim', items: [{ dish: 'pizza', price: 11.5 }, { dish: 'cola', price: 3.5 }] }],
  [2, { server: 'Kim', items: [{ dish: 'ramen', price: 14.25 }, { dish: 'tea', price: 2.75 }] }],
  [3, { server: 'Jo', items: [{ dish: 'steak', price: 26 }, { dish: 'wine', price: 8.5 }] }],
  [4, { server: 'Jo', items: [{ dish: 'tapas', price: 30.3 }] }],
  [5, { server: 'Abi', items: [{ dish: 'curry', price: 12.75 }, { dish: 'naan', price: 4.25 }, { dish: 'lassi', price: 5 }] }],
]);

const settled = [];

async function loadTable(number) {
  await sleep(3);
  return tables.get(number) ?? null;
}

async function settle(number, payments) {
  const table = await loadTable(number);
  if (!table) return { status: 404, body: { error: 'no such table' } };
  const due = billTotal(table.items);
  const paid = sumPayments(payments);
  if (paid < due) {
    return { status: 422, body: { error: 'payments do not cover the bill', due } };
  }
  settled.push({ number, due, paid });
  return { status: 200, body: { table: number, due, paid, tip: paid - due, server: table.server } };
}

app.post('/tables/:number/settle', async (req, res) => {
  const { payments } = req.body ?? {};
  if (!Array.isArray(payments) || payments.length === 0) {
    return res.status(400).json({ error: 'payments required' });
  }
  const { status, body } = await settle(Number(req.params.number), payments);
  res.status(status).json(body);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
