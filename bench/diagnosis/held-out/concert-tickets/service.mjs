import express from 'express';
import { ticketRouter } from './src/routes.mjs';

const app = express();
app.use(express.json());
app.use('/shows', ticketRouter);
app.use((error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});

app.listen(process.env.PORT, '127.0.0.1');
