import express from 'express';
import { weeklyPay } from './lib/payroll.mjs';

const app = express();
app.use(express.json());

async function postPayroll(req, res) {
  const { employeeId, shifts } = req.body;
  const result = await weeklyPay(employeeId, shifts);
  if (!result) return res.status(404).json({ error: 'unknown employee' });
  res.json(result);
}

function handleError(error, req, res, next) {
  const status = error instanceof RangeError ? 400 : 500;
  res.status(status).json({ error: error.message });
}

app.post('/payroll', postPayroll);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
