/** Error messages with parts that differ from request to request: quoted words, names, e-mail addresses and ids. */
import { pick, type Random } from './random.ts';

const FIRST = 'Ada Bashir Carmen Dmitri Elif Farid Greta Hugo Ines Jonas Kenji Leila'.split(' ');
/** One last name for each generated day, so that each day can have a different name. `QUOTED` also has one item for each day. */
const LAST =
  'Moreau Tanaka Silva Novak Okafor Weber Lindqvist Rossi Haddad Kowalski Nguyen Brandt Castro Yilmaz'.split(
    ' ',
  );
const QUOTED = [
  'spring sale',
  'gift-wrap',
  'fragile',
  'express',
  'second hand',
  'pick-up',
  'black friday',
  'two for one',
  'oversize',
  'members only',
  'early bird',
  'last minute',
  'clearance',
  'free trial',
];

/** Texts that differ from request to request. */
export const DIFFERING: readonly string[] = [...FIRST, ...LAST, ...QUOTED, 'example.com'];

export interface Parts {
  readonly person: string;
  readonly mail: string;
  readonly quoted: string;
  readonly number: string;
  readonly id: string;
}

export interface Message {
  /** The longest run of words that is the same in all messages of one error, such as `exceeds the credit limit`. */
  readonly words: string;
  readonly say: (parts: Parts) => string;
}

/** Messages with quoted words, e-mail addresses and ids. Names of people are only in quotes and in e-mail addresses. */
export const QUOTING: readonly Message[] = [
  {
    words: 'cannot be combined with order',
    say: ({ quoted, mail, number }) =>
      `Coupon "${quoted}" of ${mail} cannot be combined with order ${number}`,
  },
  {
    words: 'exceeds the credit limit',
    say: ({ number, quoted, person, mail }) =>
      `Invoice ${number} '${quoted}' for "${person}" <${mail}> exceeds the credit limit`,
  },
  {
    words: 'No carrier accepts',
    say: ({ quoted, id, mail }) => `No carrier accepts "${quoted}" for parcel ${id} (asked by ${mail})`,
  },
];

/** Messages with a person's name that is not in quotes. */
export const NAMING: readonly Message[] = [
  {
    words: 'has no seat left on booking',
    say: ({ person, number }) => `${person} has no seat left on booking ${number}`,
  },
  {
    words: 'does not apply to order',
    say: ({ person, number }) => `The discount of ${person} does not apply to order ${number}`,
  },
];

/**
 * Draws the parts of a message. If `day` is given, the last name and the quoted words are those of the day, and differ from those of all
 * other days.
 */
export function drawParts(random: Random, day?: number): Parts {
  const last = day === undefined ? pick(random, LAST) : pickOfDay(LAST, day);
  const first = pick(random, FIRST);
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return {
    person: `${first} ${last}`,
    mail: `${first}.${last}@example.com`.toLowerCase(),
    quoted: day === undefined ? pick(random, QUOTED) : pickOfDay(QUOTED, day),
    number: String(10_000 + Math.floor(random() * 90_000)),
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
}

const pickOfDay = (items: readonly string[], day: number) => items[day % items.length] ?? '';
