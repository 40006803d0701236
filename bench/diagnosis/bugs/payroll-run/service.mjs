import express from 'express';
import { findContract } from './lib/contracts.mjs';
import { grossPay } from './lib/pay.mjs';
import { formatEuro } from './lib/money.mjs';

const app = express();
app.use(express.json());

async function createPayslip(employeeId, { hours, month }) {
  const contract = await findContract(employeeId);
  if (!contract) return null;
  const gross = await grossPay(contract, hours);
  return { employee: contract.name, month, hours, gross: formatEuro(gross) };
}

app.post('/employees/:id/payslips', async (req, res) => {
  const { hours, month } = req.body ?? {};
  if (!Number.isFinite(hours) || !month) return res.status(400).json({ error: 'hours and month required' });
  const payslip = await createPayslip(req.params.id, { hours, month });
  if (!payslip) return res.status(404).json({ error: 'unknown employee' });
  res.status(201).json(payslip);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
