import { setTimeout as wait } from 'node:timers/promises';

let serial = 88_200;

export async function printTicket(ticket: string, stop: string): Promise<string> {
  await wait(9);
  serial += 1;
  return `${serial} ${ticket.toUpperCase()} ${stop}`;
}
