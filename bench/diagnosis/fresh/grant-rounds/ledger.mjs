import { randomUUID } from 'node:crypto';
import { addUp } from './rounds.mjs';

const maskIban = (iban) => `${iban.slice(0, 4)}…${iban.slice(-4)}`;

export function createLedger() {
  const journal = [];

  function linesFor(round, awards) {
    const credit = { account: '2100', text: `Round ${round.id}`, amount: -round.budget };
    return [credit, ...awards.map(({ applicant, amount, iban }) => ({ account: '6300', text: `${applicant} ${maskIban(iban)}`, amount }))];
  }

  /** An entry is balanced if nothing of the budget is left over or missing. */
  function isBalanced(lines) {
    return addUp(lines.map(({ amount }) => amount)) === 0;
  }

  function post(round, awards) {
    const lines = linesFor(round, awards);
    if (!isBalanced(lines)) throw Object.assign(new Error('the entry is not balanced'), { status: 422, round: round.id });
    const entry = { id: randomUUID(), number: journal.length + 1, lines, currency: round.currency };
    journal.push(entry);
    return { id: entry.id, number: entry.number, lines: lines.length };
  }

  return { post };
}
