'use strict';
const { Router } = require('express');
const { stayFee } = require('./fees.cjs');
const { assertFits, assertInsured } = require('./rules.cjs');

function departureDay(nights) {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + nights);
  return day.toISOString().slice(0, 10);
}

function arrivals({ boats, berths, season }) {
  const router = Router();

  router.post('/:code/arrivals', (request, response) => {
    const { boat: name, nights } = request.body;
    const berth = berths.find(request.params.code);
    const boat = boats.findByName(name);
    assertFits(boat, berth);
    assertInsured(boat, season);
    const cents = stayFee(boat, berth, nights);
    const stay = berths.recordStay(berth, boat, nights, cents);
    response
      .status(201)
      .json({ stay, berth: berth.code, boat: boat.name, fee: cents / 100, until: departureDay(nights) });
  });

  return router;
}

module.exports = { arrivals };
