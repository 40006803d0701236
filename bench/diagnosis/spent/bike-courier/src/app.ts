import express, { type ErrorRequestHandler } from 'express';
import { Dispatcher } from './dispatcher.ts';
import { findStop } from './stops.ts';

const dispatcher = new Dispatcher();

export const app = express();
app.use(express.json());

app.get('/stops/:id', async (req, res) => {
  res.json(await findStop(req.params.id));
});

app.post('/deliveries', async (req, res) => {
  const { from, to, kilos } = req.body;
  const [pickUp, dropOff] = await Promise.all([findStop(from), findStop(to)]);
  res.status(201).json(await dispatcher.dispatch(pickUp, dropOff, kilos));
});

const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
};
app.use(onError);
