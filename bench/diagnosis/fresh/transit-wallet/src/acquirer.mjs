import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

// The issuers' usual time to answer in ms; the first contact after a pause includes a 3-D Secure handshake.
const LATENCY = { NORDEN: 8, CAIXA: 12, LAGO: 6 };
const HANDSHAKE = { LAGO: 400 };

/** The acquirer's API. It books a capture when the request arrives, and calls back for each one. */
export class Acquirer {
  #warm = new Set();

  constructor(onCapture) {
    this.onCapture = onCapture;
  }

  async capture({ account, amountCents, card }) {
    const captureId = `cap_${randomBytes(5).toString('hex')}`;
    await sleep(LATENCY[card.issuer] ?? 10);
    this.onCapture({ captureId, account, amountCents });
    await this.#handshake(card.issuer);
    return { captureId, status: 'captured', network: card.network };
  }

  async #handshake(issuer) {
    const needed = HANDSHAKE[issuer] ?? 0;
    if (needed === 0 || this.#warm.has(issuer)) return;
    this.#warm.add(issuer);
    await sleep(needed);
  }
}
