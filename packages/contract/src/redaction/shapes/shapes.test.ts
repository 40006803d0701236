import { expect, it } from 'vitest';
import { Redactor } from '../redactor.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';

const redactor = new Redactor();
const LETTERS = 'Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3';
const DASHES = '-----';

// The keys are in a sentence without a secret's name, so that only their own form can hide them. Each is joined from parts, because
// scanners for leaked secrets would report a whole key in this file.
it.each([
  ['Stripe', `sk_live_${LETTERS}`],
  ['GitHub', `ghp_${LETTERS}Cd5Ef7Gh9Jk2`],
  ['GitLab', `glpat-${LETTERS.slice(0, 20)}`],
  ['AWS', `AKIA${'Q3EGRIT7LMNWZ2KX'}`],
  ['Google', `AIza${'Sy'}${LETTERS}Cd5Ef7Gh9`],
  ['Slack', `xoxb-${'263594206564'}-${LETTERS}`],
  ['Throughline', `tl_${LETTERS}Cd5Ef7Gh`],
  ["Throughline's access tokens", `tlr_${LETTERS}Cd5Ef7Gh`],
])('a key of %s is redacted by its form alone', (_service, key) => {
  expect(redactor.text(`it sent ${key} to them`)).toBe(`it sent ${REDACTED_TEXT} to them`);
  expect(redactor.value({ note: key })).toEqual({ note: { $type: 'redacted', of: 'string' } });
});

it('the lines of a private key in PEM are redacted by their form alone', () => {
  const key = `${DASHES}BEGIN PRIVATE KEY${DASHES}\n${LETTERS}\n${LETTERS}\n${DASHES}END PRIVATE KEY${DASHES}`;
  expect(redactor.text(`it sent ${key} to them`)).not.toContain(LETTERS);
});
