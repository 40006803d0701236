import { ALNUM, BASE64URL, DIGITS, HEX, LOWER, type Random, uuid } from '../random.ts';

const WORDS = [
  'amber',
  'bishop',
  'cobalt',
  'dragon',
  'ember',
  'falcon',
  'garnet',
  'harbor',
  'indigo',
  'jigsaw',
  'kettle',
  'lantern',
  'maple',
  'nickel',
  'orchid',
  'pepper',
  'quartz',
  'raven',
  'saddle',
  'teapot',
];

/** Returns a typical secret of letters, digits, hyphens and underscores, which is unchanged in URLs, quotes and shells. */
export function plainSecret(random: Random): string {
  switch (random.int(7)) {
    case 0:
      return `${random.pick(WORDS)}-${random.chars(DIGITS, 4)}-${random.pick(WORDS)}-${random.chars(LOWER, 3)}`;
    case 1:
      return random.pick(WORDS) + random.chars(DIGITS, 6);
    case 2:
      return random.chars(ALNUM, 12 + random.int(12));
    case 3:
      return random.chars(HEX, random.pick([32, 40, 64]));
    case 4:
      return random.chars(BASE64URL, 43).replace(/^[-_]|[-_]$/g, 'x');
    case 5:
      return uuid(random);
    default:
      return `${random.chars(ALNUM, 10)}_${random.chars(ALNUM, 6)}`;
  }
}

/** Returns a plain secret, or one with the special characters and spaces that quoted secrets can contain. */
export function quotedSecret(random: Random): string {
  if (random.chance(0.5)) return plainSecret(random);
  const sign = () =>
    random.pick([
      '!',
      '#',
      '$',
      '*',
      '+',
      '~',
      '^',
      '.',
      ',',
      ';',
      ':',
      '=',
      '@',
      '/',
      '(',
      ')',
      '{',
      '?',
      '&',
      '%',
    ]);
  if (random.chance(0.3))
    return `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.chars(DIGITS, 5)} ${random.pick(WORDS)}`;
  return `${random.chars(ALNUM, 5)}${sign()}${random.chars(ALNUM, 5)}${sign()}${random.chars(ALNUM, 4)}`;
}

/** Returns eight digits, like a one-time code. Six digits would occur in other numbers by chance. */
export function codeSecret(random: Random): string {
  return `${1 + random.int(9)}${random.chars(DIGITS, 7)}`;
}

export const USERS = ['ada', 'grace', 'linus', 'margaret', 'ken', 'barbara'];
export const HOSTS = ['db.internal', 'mail.example.com', '10.0.3.7', 'queue', 'api.example.com', 'localhost'];
