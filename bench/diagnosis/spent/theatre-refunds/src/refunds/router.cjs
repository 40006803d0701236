'use strict';

const { randomBytes } = require('node:crypto');
const { Router } = require('express');
const policy = require('./policy.cjs');

const total = (cents) => cents.reduce((sum, price) => sum + price, 0);
const pounds = (cents) => `£${(cents / 100).toFixed(2)}`;

function quote(booking, cancelledAt) {
  const hours = policy.hoursLeft(booking.show, cancelledAt);
  const paid = total(booking.tickets);
  const share = policy.refundShare(booking.fare, hours);
  const gross = Math.round(paid * share);
  const fee = gross === 0 ? 0 : policy.handlingFee(booking.tickets);
  return { paid, fee, refund: Math.max(gross - fee, 0) };
}

function letter(booking, amounts) {
  if (amounts.refund === 0) return `Tickets for ${booking.show.title} cannot be refunded.`;
  return `We refund ${pounds(amounts.refund)} of ${pounds(amounts.paid)} for ${booking.show.title}.`;
}

function refundsRouter(bookings) {
  const router = Router({ mergeParams: true });

  router.post('/', async (req, res) => {
    const booking = await bookings.load(req.params.reference);
    if (booking.refunded) throw Object.assign(new Error('already refunded'), { statusCode: 409 });
    const amounts = quote(booking, req.body.cancelledAt);
    await bookings.markRefunded(booking.reference);
    res.json({ id: randomBytes(5).toString('hex'), ...amounts, letter: letter(booking, amounts) });
  });

  return router;
}

module.exports = { refundsRouter };
