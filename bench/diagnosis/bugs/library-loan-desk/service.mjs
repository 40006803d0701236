import express from 'express';
import { lend } from './lib/loans.mjs';

const app = express();
app.use(express.json());

async function postLoan(req, res) {
  const bookId = Number(req.params.id);
  if (!Number.isInteger(bookId)) return res.status(400).json({ error: 'book id must be a number' });
  const loan = await lend({ bookId, reader: req.body.reader, date: req.body.date });
  res.status(201).json(loan);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/books/:id/loans', postLoan);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
