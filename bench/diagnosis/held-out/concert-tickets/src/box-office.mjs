import { reductionFor } from './members.mjs';

const PRICE_CENTS = { 'jazz-at-the-mill': 2400, 'string-quartet': 3200, 'organ-night': 1800 };

export class BoxOffice {
  #allotments;
  #lastOrder = 7300;

  constructor(allotments) {
    this.#allotments = allotments;
  }

  available(show) {
    return this.#allotments.read(show);
  }

  async order(show, { buyer, seats, membership }) {
    const available = await this.#allotments.read(show);
    if (available < seats) throw Object.assign(new Error('sold out'), { status: 409 });
    const reduction = await reductionFor(membership);
    await this.issueSeats(show, seats);
    const totalCents = Math.round(PRICE_CENTS[show] * seats * (1 - reduction));
    return { order: ++this.#lastOrder, buyer, show, seats, totalCents };
  }

  async issueSeats(show, seats) {
    const left = await this.#allotments.subtract(show, seats);
    if (left < 0) throw new RangeError(`more seats issued than allotted: ${left}`);
    return left;
  }
}
