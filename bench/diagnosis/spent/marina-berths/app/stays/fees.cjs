'use strict';

const PER_METRE = 280;
const POWER = 450;

function nightlyFee(boat, berth) {
  const mooring = Math.ceil(boat.length) * PER_METRE;
  return mooring + (berth.power ? POWER : 0);
}

function stayFee(boat, berth, nights) {
  const full = nightlyFee(boat, berth) * nights;
  if (boat.club) return 0;
  return nights >= 7 ? Math.round(full * 0.85) : full;
}

module.exports = { nightlyFee, stayFee };
