import { ALNUM, DIGITS, type Random } from '../random.ts';

/** Builds a private key of random lines, as in a file. The secret is a line in the middle. */
export function privateKeyBlock(
  random: Random,
  kind: string,
  lineCount: number,
): { readonly text: string; readonly secret: string } {
  const dashes = '-'.repeat(5);
  const name = `${kind}PRIVATE KEY${kind === 'PGP ' ? ' BLOCK' : ''}`;
  const lines = Array.from({ length: lineCount }, () => random.chars(`${ALNUM}+/`, 64));
  const secret = lines[Math.floor(lineCount / 2)] ?? '';
  const header = kind === 'PGP ' ? ['Version: GnuPG v2', ''] : [];
  return {
    secret,
    text: [`${dashes}BEGIN ${name}${dashes}`, ...header, ...lines, `${dashes}END ${name}${dashes}`].join(
      '\n',
    ),
  };
}

/** The first digits of each issuer's cards, and the groups in which cards show their digits. */
const CARDS = [
  { prefix: '4', groups: [4, 4, 4, 4] },
  { prefix: '51', groups: [4, 4, 4, 4] },
  { prefix: '2221', groups: [4, 4, 4, 4] },
  { prefix: '37', groups: [4, 6, 5] },
  { prefix: '6011', groups: [4, 4, 4, 4] },
  { prefix: '3530', groups: [4, 4, 4, 4] },
] as const;

/** Builds a card number with a valid check digit. The separator is between the groups. */
export function cardNumber(random: Random, separator: string): string {
  const { prefix, groups } = random.pick(CARDS);
  const length = groups.reduce((total, group) => total + group, 0);
  const digits = withCheckDigit(prefix + random.chars(DIGITS, length - prefix.length - 1));
  let at = 0;
  return groups
    .map((group) => {
      at += group;
      return digits.slice(at - group, at);
    })
    .join(separator);
}

/** Appends the Luhn check digit. */
function withCheckDigit(digits: string): string {
  return digits + String((10 - (luhnSum(`${digits}0`) % 10)) % 10);
}

export function luhnSum(digits: string): number {
  let sum = 0;
  for (const [index, sign] of [...digits].reverse().entries()) {
    const doubled = Number(sign) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}
