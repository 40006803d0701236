import { setTimeout as sleep } from 'node:timers/promises';

const ownCards = new Map([
  ['GC-1001', { balance: 9000, issued: '2024-01-10' }],
  ['GC-1002', { balance: 15000, issued: '2024-02-02' }],
  ['GC-1003', { balance: 20000, issued: '2024-03-21' }],
]);

const partnerCards = new Map([
  ['PV-77', { amount: 150, partner: 'bookworld' }],
  ['PV-78', { amount: 80, partner: 'cityfun' }],
]);

const spent = new Map();

function fromOwn(code, row) {
  return { code, balance: row.balance - (spent.get(code) ?? 0), source: 'shop' };
}

function fromPartner(code, row) {
  return { code, balance: row.amount - (spent.get(code) ?? 0), source: row.partner };
}

export async function findCard(code) {
  await sleep(3);
  if (ownCards.has(code)) return fromOwn(code, ownCards.get(code));
  if (partnerCards.has(code)) return fromPartner(code, partnerCards.get(code));
  return null;
}

export async function debit(code, cents) {
  await sleep(2);
  spent.set(code, (spent.get(code) ?? 0) + cents);
}
