import express, { type NextFunction, type Request, type Response } from 'express';
import { findCustomer } from '../customers/customers.ts';
import { receipt } from '../pricing/receipt.ts';
import { parseOrder } from './order.ts';

export const app = express();
app.use(express.json());

app.get('/customers/:id', async (req, res) => {
  const { name, agreement } = await findCustomer(req.params.id);
  res.json({ name, discount: agreement?.percent ?? null });
});

app.post('/customers/:id/orders', async (req, res) => {
  const order = parseOrder(req.body);
  const customer = await findCustomer(req.params.id);
  res.json(await receipt(customer, order));
});

app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
  res.status(error.status ?? 500).json({ error: error.message });
});
