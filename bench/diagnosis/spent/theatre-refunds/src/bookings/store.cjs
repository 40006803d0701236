'use strict';

const { setTimeout: sleep } = require('node:timers/promises');

const shows = {
  cherry: { title: 'The Cherry Orchard', startsAt: '2025-11-20T19:30:00Z' },
  tosca: { title: 'Tosca', startsAt: '2025-11-22T18:00:00Z' },
};
const rows = [
  ['KX4410', 'cherry', 'standard', [2450, 2450]],
  ['KX4418', 'tosca', 'promo', [1500]],
  ['KX4423', 'tosca', 'standard', [6800, 6800, 4200]],
  ['KX4431', 'cherry', 'standard', [3150]],
  ['KX4436', 'cherry', 'promo', [1200, 1200]],
  ['KX4442', 'tosca', 'flex', [3600, 3600]],
];
const refunded = new Set();

const store = new Map(
  rows.map(([reference, show, fare, tickets]) => [
    reference,
    { reference, fare, tickets, show: shows[show] },
  ]),
);

async function load(reference) {
  await sleep(3);
  const booking = store.get(reference);
  if (!booking) throw Object.assign(new Error(`booking ${reference} does not exist`), { statusCode: 404 });
  return { ...booking, refunded: refunded.has(reference) };
}

async function markRefunded(reference) {
  await sleep(2);
  refunded.add(reference);
}

module.exports = { load, markRefunded };
