import { accepted, coinsFor, sumOf } from './coins.ts';
import { fareOf } from './fares.ts';
import { printTicket } from './printer.ts';

export interface Payment {
  stop: string;
  ticket: string;
  coins: number[];
}

function isPaid(paid: number, fare: number): boolean {
  return paid >= fare;
}

function rejected(inserted: number[], valid: number[]): number {
  return inserted.length - valid.length;
}

export async function pay({ stop, ticket, coins }: Payment) {
  const fare = await fareOf(ticket);
  const valid = accepted(coins);
  const paid = sumOf(valid);
  const returned = rejected(coins, valid);
  if (!isPaid(paid, fare)) return { state: 'waiting', missing: (fare - paid).toFixed(2), returned };
  const printed = await printTicket(ticket, stop);
  return { state: 'paid', printed, change: coinsFor(paid - fare), returned };
}
