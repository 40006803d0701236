import { Router } from 'express';
import { BoxOffice } from './box-office.mjs';
import { allotments } from './allotments.mjs';

const office = new BoxOffice(allotments);

export const ticketRouter = Router();

ticketRouter.get('/:show', async (req, res) => {
  res.json({ show: req.params.show, available: await office.available(req.params.show) });
});

ticketRouter.post('/:show/orders', async (req, res) => {
  const { buyer, seats, membership } = req.body;
  const order = await office.order(req.params.show, { buyer, seats: Number(seats), membership });
  res.status(201).json(order);
});
