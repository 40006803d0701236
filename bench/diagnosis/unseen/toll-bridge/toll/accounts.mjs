import { setTimeout as wait } from 'node:timers/promises';

const balances = new Map([
  ['TB-1180', { holder: 'Carla Ruiz', cents: 4200 }],
  ['TB-2245', { holder: 'Delta Haulage', cents: 96_000 }],
  ['TB-3071', { holder: 'Wendell Price', cents: 1850 }],
]);

async function load(tag) {
  await wait(4);
  const account = balances.get(tag);
  if (!account) throw Object.assign(new Error(`tag ${tag} is not registered`), { status: 404 });
  return account;
}

async function debit(tag, cents) {
  const account = await load(tag);
  account.cents -= cents;
  return account.cents;
}

async function statement(tag) {
  const { holder, cents } = await load(tag);
  return { holder, balance: (cents / 100).toFixed(2) };
}

export const accounts = { debit, statement };
