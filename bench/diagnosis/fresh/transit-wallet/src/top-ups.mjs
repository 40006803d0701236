import { randomUUID } from 'node:crypto';
import { retry } from './retry.mjs';

const LIMITS = { min: 500, max: 15_000 };
const BONUS_STEPS = [[10_000, 'gold'], [5000, 'silver']];

export class TopUps {
  constructor({ acquirer, wallets }) {
    this.acquirer = acquirer;
    this.wallets = wallets;
  }

  async place(account, order) {
    const { amountCents, card, device } = this.validate(order);
    this.wallets.find(account);
    const capture = await this.charge(account, amountCents, card);
    return this.receipt(account, amountCents, card, capture, device);
  }

  validate(order) {
    const { amountCents, card } = order;
    if (!Number.isInteger(amountCents) || amountCents < LIMITS.min || amountCents > LIMITS.max) {
      throw Object.assign(new Error('amount out of range'), { status: 422 });
    }
    if (!card?.issuer) throw Object.assign(new Error('card is missing'), { status: 422 });
    return order;
  }

  charge(account, amountCents, card) {
    return retry(() => this.acquirer.capture({ account, amountCents, card }), { attempts: 3, timeoutMs: 150 });
  }

  receipt(account, amountCents, card, { captureId, status }, device) {
    const { balanceCents } = this.wallets.statement(account);
    const [, tier] = BONUS_STEPS.find(([from]) => amountCents >= from) ?? [0, 'none'];
    return { receipt: randomUUID(), wallet: account, amountCents, balanceCents, captureId, status, card: `•••• ${card.last4}`, tier, device };
  }
}
