import { setTimeout as wait } from 'node:timers/promises';
import { fail } from './fail.mjs';
import { toCents } from './money.mjs';

const accounts = new Map([
  ['4b-07', { name: 'Emil', cents: 420 }],
  ['4b-19', { name: 'Sunniva', cents: 1265 }],
  ['5a-02', { name: 'Yusuf', cents: 90 }],
  ['6c-11', { name: 'Clara', cents: 2600 }],
]);

const menu = { pasta: 380, curry: 420, soup: 250, salad: 310 };

export async function accountOf(pupil) {
  await wait(4);
  return accounts.get(pupil) ?? fail(404, `nobody has the number ${pupil}`);
}

async function book(pupil, change) {
  const account = await accountOf(pupil);
  const booked = { ...account, cents: account.cents + change };
  await wait(3);
  accounts.set(pupil, booked);
  return booked;
}

export async function topUp(pupil, amount) {
  const cents = toCents(amount);
  if (cents < 100) fail(422, 'the least amount is one euro');
  return book(pupil, cents);
}

export async function buyMeal(pupil, meal) {
  const price = menu[meal] ?? fail(404, `there is no ${meal} today`);
  const { cents } = await accountOf(pupil);
  if (cents < price) fail(402, 'the balance is too low');
  return book(pupil, -price);
}
