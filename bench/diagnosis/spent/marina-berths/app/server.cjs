'use strict';
const express = require('express');
const { openDatabase } = require('./db/open.cjs');
const { BoatRepository } = require('./db/boats.cjs');
const { BerthRepository } = require('./db/berths.cjs');
const { arrivals } = require('./stays/arrivals.cjs');

const database = openDatabase();
const app = express();
app.use(express.json());
app.use(
  '/berths',
  arrivals({ boats: new BoatRepository(database), berths: new BerthRepository(database), season: 2025 }),
);
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  response.status(error.status || 500).json({ error: error.message, path: request.path });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
