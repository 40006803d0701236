'use strict';

const express = require('express');
const { findEvent } = require('./events/events.cjs');
const { makeBadge } = require('./badges/make-badge.cjs');
const { enqueue } = require('./badges/printer.cjs');

const app = express();
app.use(express.json());

app.post('/events/:id/badges', async (req, res) => {
  const event = await findEvent(req.params.id);
  const badge = makeBadge(event, req.body);
  const position = await enqueue(event, badge);
  res.json({ badge, position, queuedAt: Date.now() });
});

app.use((error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});

module.exports = app;
