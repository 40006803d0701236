import express from 'express';
import { occupancyReport } from './lib/statistics.mjs';

const app = express();

async function getOccupancy(req, res) {
  res.json(await occupancyReport(req.params.hall, req.query));
}

function handleError(error, req, res, next) {
  const status = error instanceof RangeError ? 400 : 500;
  res.status(status).json({ error: error.message });
}

app.get('/halls/:hall/occupancy', getOccupancy);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
