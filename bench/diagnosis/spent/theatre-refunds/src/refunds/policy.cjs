'use strict';

const HOUR = 3_600_000;

function hoursLeft(show, cancelledAt) {
  return (Date.parse(show.startsAt) - Date.parse(cancelledAt)) / HOUR;
}

function refundShare(fare, hours) {
  let share = 0;
  switch (fare) {
    case 'flex':
      share = hours >= 2 ? 1 : 0.8;
    case 'standard':
      share = hours >= 48 ? 0.5 : 0.25;
      break;
    case 'promo':
      share = 0;
      break;
    default:
      throw new Error(`no policy for ${fare}`);
  }
  return share;
}

function handlingFee(tickets) {
  return Math.min(tickets.length * 100, 300);
}

module.exports = { hoursLeft, refundShare, handlingFee };
