const { randomUUID } = require('node:crypto');
const { decodePass, isGenuine } = require('../passes/codec.cjs');
const { grantFor } = require('../visits/access.cjs');
const { expectedVisit } = require('../visits/directory.cjs');

const greeting = (guest, badge) => `Welcome ${guest.split(' ')[0]}, your badge is ${badge}.`;

async function checkIn(req, res) {
  const { pass: scanned, scanner } = req.body;
  if (!isGenuine(scanned)) return res.status(400).json({ error: 'the pass is damaged' });
  const pass = decodePass(scanned);
  const visit = await expectedVisit(pass);
  const grant = grantFor(visit, pass, req.params.gate);
  res.status(201).json({
    arrival: randomUUID(),
    ...grant,
    message: greeting(pass.guest, grant.badge),
    scanner,
    at: new Date().toISOString(),
  });
}

module.exports = { checkIn };
