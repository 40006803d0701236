import { setTimeout as wait } from 'node:timers/promises';

const fares = new Map<string, number>([
  ['single', 2.4],
  ['single-child', 1.2],
  ['short-hop', 1.6],
  ['short-hop-child', 0.8],
  ['day', 7.5],
  ['bike', 2],
]);

export async function fareOf(ticket: string): Promise<number> {
  await wait(4);
  const fare = fares.get(ticket);
  if (fare === undefined) throw Object.assign(new Error(`no fare for ${ticket}`), { statusCode: 404 });
  return fare;
}
