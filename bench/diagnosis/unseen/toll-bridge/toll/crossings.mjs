import { accounts } from './accounts.mjs';
import { dayOf, kindOf } from './calendar.mjs';
import { tollFor } from './rates.mjs';

const log = [];

async function record({ tag, axles, at }) {
  if (Number.isNaN(Date.parse(at))) throw Object.assign(new Error('at is not a time'), { status: 400 });
  const day = dayOf(at);
  const kind = kindOf(day);
  const cents = tollFor(kind, axles);
  const left = await accounts.debit(tag, cents);
  log.push({ tag, at, cents });
  return { crossing: log.length, tariff: kind, cents, low: left < 1000 };
}

export const crossings = { record };
