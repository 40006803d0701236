import express from 'express';
import { bookRoom } from './lib/booking.mjs';

const app = express();
app.use(express.json());

async function postBooking(req, res) {
  const { room, date, from, to, guests } = req.body;
  const { status, body } = await bookRoom({ room, date, from, to, guests });
  res.status(status).json(body);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.post('/bookings', postBooking);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
