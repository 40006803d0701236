import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readFields, readText } from '../input.ts';
import { Refusal } from '../refusal.ts';

export interface Card {
  readonly number: string;
  /** MM/YY. */
  readonly expiry: string;
  readonly cvc: string;
}

export interface Payment {
  readonly reference: string;
  readonly amountCents: number;
  /** Last four digits of the card's number. */
  readonly lastDigits: string;
}

/** Parses the `card` of a checkout. Rejects a missing or too long field (400). */
export function readCard(card: unknown): Card {
  const { number, expiry, cvc } = readFields(card);
  return {
    number: readText(number, 'number').replaceAll(' ', ''),
    expiry: readText(expiry, 'expiry', 5),
    cvc: readText(cvc, 'cvc', 4),
  };
}

/** Charges the card, or rejects it (402). This is a simulation: no bank is contacted and no money moves. */
export async function chargeCard(card: Card, amountCents: number): Promise<Payment> {
  const answerMs = randomInt(15, 60);
  await wait(answerMs);
  const accepted = passesLuhn(card.number);
  if (!accepted) throw new Refusal(402, 'The card was declined');
  return { reference: randomUUID(), amountCents, lastDigits: card.number.slice(-4) };
}

/** True if the number has 12 to 19 digits and a correct check digit (ISO/IEC 7812-1). */
function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number.at(-1 - place));
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
