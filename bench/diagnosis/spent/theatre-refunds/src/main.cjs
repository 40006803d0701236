'use strict';

const express = require('express');
const bookings = require('./bookings/store.cjs');
const { refundsRouter } = require('./refunds/router.cjs');

const app = express();
app.use(express.json({ limit: '10kb' }));
app.get('/bookings/:reference', async (req, res) => res.json(await bookings.load(req.params.reference)));
app.use('/bookings/:reference/refunds', refundsRouter(bookings));
app.use((err, req, res, _next) => {
  res.status(err.statusCode ?? 500).json({ error: { message: err.message, at: req.originalUrl } });
});

module.exports = app;
