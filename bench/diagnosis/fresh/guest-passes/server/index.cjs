const express = require('express');
const { checkIn } = require('./routes/check-in.cjs');

function start(port) {
  const app = express();
  app.use(express.json());
  app.post('/gates/:gate/check-in', checkIn);
  app.use((err, req, res, _next) => {
    res.status(err.status || 500).json({ error: err.message, gate: req.get('x-gate-serial') });
  });
  return app.listen(port, '127.0.0.1');
}

module.exports = { start };
