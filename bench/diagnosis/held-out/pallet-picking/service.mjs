import express from 'express';
import { planPicks } from './picking/plan.mjs';

const app = express();
app.use(express.json());

app.post('/pick-lists', (req, res, next) => {
  planPicks(req.body.article, req.body.quantity)
    .then((plan) => res.json(plan))
    .catch(next);
});

app.use((error, req, res, next) => {
  res.status(error.name === 'ShortageError' ? 409 : 500).json({ error: error.message });
});

app.listen(process.env.PORT, '127.0.0.1');
