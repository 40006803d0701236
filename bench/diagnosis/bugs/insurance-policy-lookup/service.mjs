import express from 'express';
import { fileClaim } from './lib/claims.mjs';

const app = express();
app.use(express.json());

async function postClaim(req, res) {
  const result = await fileClaim(req.body);
  res.status(201).json(result);
}

function handleError(error, req, res, next) {
  res.status(error.status ?? 500).json({ error: error.message });
}

app.post('/claims', postClaim);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
