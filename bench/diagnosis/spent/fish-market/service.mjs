import express from 'express';
import { loadReceipt, loadTill } from './receipts/repository.mjs';
import { taxReport } from './tax/report.mjs';

const app = express();

app.get('/tills/:till/receipts/:number', async (request, response) => {
  const receipt = await loadReceipt(request.params.till, request.params.number);
  response.json(receipt);
});

app.get('/tills/:till/receipts/:number/tax', async (request, response) => {
  const { till, number } = request.params;
  const [desk, receipt] = await Promise.all([loadTill(till), loadReceipt(till, number)]);
  response.json(taxReport(desk, receipt));
});

app.use((error, _request, response, _next) => {
  response.status(error.statusCode ?? 500).json({ error: error.message });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
