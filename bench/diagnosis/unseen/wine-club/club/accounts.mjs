import { setTimeout as wait } from 'node:timers/promises';

const accounts = {
  m4: { name: 'Ruth Keller', level: 'silver', street: 'Taunusstr. 8', town: 'Wiesbaden' },
  m7: { name: 'Jonas Brecht', level: 'gold', street: 'Am Markt 2', town: 'Mainz' },
  m9: { name: 'Gasthaus Linde', level: 'trade', street: 'Hauptstr. 51', town: 'Idstein' },
};

const rebates = { silver: 0, gold: 5, trade: 12 };

export async function accountOf(id) {
  await wait(4);
  const account = accounts[id];
  if (!account) throw Object.assign(new Error(`no member ${id}`), { status: 404 });
  return account;
}

export const rebateOf = ({ level }) => rebates[level];

/** Charges the stored card. */
export async function charge(account, cents) {
  await wait(30);
  return { receipt: `${account.name.slice(0, 3).toUpperCase()}-${cents}`, cents };
}
