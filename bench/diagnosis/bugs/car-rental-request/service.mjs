import express from 'express';
import { requestRental } from './lib/rental.mjs';

const app = express();
app.use(express.json());

async function postRental(req, res) {
  const result = await requestRental(req.body);
  if (!result.accepted) return res.status(422).json({ problems: result.problems });
  res.status(201).json(result.rental);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/rentals', postRental);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
