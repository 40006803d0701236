import { describe, expect, inject, it } from 'vitest';
import { Redactor } from './redactor.ts';
import { countWork } from './text-work.fixture.ts';

const redactor = new Redactor();

/** Beginnings, ends and separators of everything that is looked for in texts. */
const TOKENS = [
  ...[
    'eyJ',
    '-eyJ',
    '.eyJ',
    'eyJhbGciOi.',
    '-eyJhbGciOiJ',
    '://',
    'a://b:c',
    '@',
    '[',
    ']',
    '%',
    'basic ',
    'Bearer A',
  ],
  ...[
    'Cookie:',
    '\nCookie: ',
    'authorization:',
    '"',
    '\\',
    '\\"',
    '\\\\"',
    '":"',
    '"a":',
    '"token":',
    '"token":"',
    "'",
  ],
  ...[
    '?a=',
    '?token=',
    '&token=',
    '&a=',
    ';a=',
    '#a=',
    '=',
    ':',
    ' ',
    '\n',
    '/',
    '?',
    '&',
    ';',
    '#',
    '-',
    '_',
    '.',
    'a',
  ],
  ...[
    'A',
    '0',
    '4',
    '4111',
    '4111 ',
    '4111-',
    '‹redacted›',
    'é',
    '<',
    '>',
    '{',
    '}',
    '(',
    ')',
    ',',
    '`',
    '$',
    '+',
  ],
  // Hashes, keys beside their ids, JSON in base64, entries of pgpass, defaults, and values before their names.
  ...[
    '$6$',
    '$2b$12$',
    'AKIAIOSFODNN7EXAMPLE:',
    'W3s',
    ':5432:',
    'key=a ?? ',
    "'a1b2c' for ",
    'user a pass ',
    'kty:',
    '«',
  ],
];

/** The work that a text of this piece takes, by each of two lengths. */
function measureWork(piece: string, length: number): number {
  const text = piece.repeat(Math.ceil(length / piece.length));
  return countWork(() => void redactor.text(text));
}

/** Each token alone and before each other; `npm test` tries every fourth. */
const PIECES = TOKENS.flatMap((first) => ['', ...TOKENS].map((second) => first + second));

describe('the work that a text takes', () => {
  it('doubles at most when a hostile text is made of twice as many pieces', () => {
    const grown: string[] = [];
    for (const piece of inject('thorough') === true
      ? PIECES
      : PIECES.filter((_piece, index) => index % 4 === 0)) {
      const work = measureWork(piece, 1024);
      if (measureWork(piece, 2048) > 2.3 * work + 500) grown.push(piece);
    }
    expect(grown).toEqual([]);
  });
});
