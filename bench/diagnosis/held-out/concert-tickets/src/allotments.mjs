import { setTimeout as delay } from 'node:timers/promises';

const remaining = new Map([
  ['jazz-at-the-mill', 40],
  ['string-quartet', 25],
  ['organ-night', 4],
]);

/** Stands for the table of allotments: each statement takes a few milliseconds. */
export const allotments = {
  async read(show) {
    await delay(3);
    return remaining.get(show);
  },
  async subtract(show, seats) {
    await delay(3);
    const left = remaining.get(show) - seats;
    remaining.set(show, left);
    return left;
  },
};
