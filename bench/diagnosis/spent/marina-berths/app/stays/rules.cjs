'use strict';
const KEEL_CLEARANCE = 0.3;

function refuse(message) {
  return Object.assign(new Error(message), { status: 409 });
}

function assertFits(boat, berth) {
  if (boat.length > berth.length) throw refuse(`${boat.name} is too long for ${berth.code}`);
  if (boat.draught + KEEL_CLEARANCE > berth.depth)
    throw refuse(`${boat.name} draws too much for ${berth.code}`);
}

function assertInsured(boat, season) {
  if (boat.lastSeason !== null && boat.lastSeason < season) {
    throw refuse(`the insurance of ${boat.name} does not cover ${season}`);
  }
}

module.exports = { assertFits, assertInsured };
