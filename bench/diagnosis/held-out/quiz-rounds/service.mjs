import express from 'express';
import * as rounds from './lib/rounds.mjs';

const app = express();
app.use(express.json());

const wrap = (action) => (req, res, next) => action(req, res).catch(next);

app.post('/rounds', wrap(async (req, res) => {
  const { topic, questions = 3, players = [] } = req.body;
  res.status(201).send(await rounds.start(topic, questions, players));
}));

app.get('/topics', wrap(async (req, res) => res.send(await rounds.topics())));

app.use((err, req, res, next) => {
  console.error(err.stack);
  res.status(500).send({ error: err.message });
});

app.listen(+process.env.PORT, '127.0.0.1');
