import { accountOf, buyMeal, topUp } from './accounts.mjs';
import { fail } from './fail.mjs';
import { formatCents } from './money.mjs';

const actions = {
  'top-ups': (pupil, { amount }) => topUp(pupil, amount),
  meals: (pupil, { meal }) => buyMeal(pupil, meal),
};

export async function dispatch(method, url, text) {
  const [, root, pupil, action] = url.split('/');
  if (root !== 'accounts') fail(404, 'not found');
  if (method === 'GET' && action === undefined) {
    const { name, cents } = await accountOf(pupil);
    return { body: { name, balance: formatCents(cents) } };
  }
  const run = actions[action] ?? fail(404, 'not found');
  const account = await run(pupil, JSON.parse(text));
  return { body: { name: account.name, balance: formatCents(account.cents), warn: account.cents < 500 } };
}
