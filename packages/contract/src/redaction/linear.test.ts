import { describe, expect, inject, it } from 'vitest';
import { Redactor } from './redactor.ts';
import { countWork } from './text-work.fixture.ts';

const redactor = new Redactor();

/** Beginnings, ends and separators of everything that redaction searches for in strings. */
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
  // Hashes, keys next to their ids, base64-encoded JSON, entries of pgpass, defaults, and values before their
  // names.
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
    '"d":"',
    '«',
    'id,password\n',
    '|token|',
    '"label":"Password",',
    '"content":"',
    '[["password",',
    'update t set token = ?',
    // Links, logins of databases, calls of ciphers, formats of files.
    '/reset-x/',
    'a/b@c:1521',
    'a:b@tcp(',
    "aes_encrypt('",
    'kind: Secret\ndata:\n a: b\n',
    'name: token\nvalue: ',
    '"token";s:1:"',
    'WIFI:P:',
    'DE89 ',
    'codes: 1234567,',
    // Directives, calls, pipes, messages of validators.
    '\nenv token a',
    'variable "token" { default = "',
    ".login('a', '",
    "jwt.sign({}, '",
    'auth sha ',
    'basic a:',
    "echo 'a1b2' | sudo -S",
    'password with value "',
    'use code 123 456 to sign',
    '?key=A1a',
    'set password for a = ',
    '${',
    // Calls, passwords without a name, pairs, protocols.
    "login('Aa1*b', ",
    'Aa1*b2C3',
    'login is a / ',
    'AUTH\r\n$1\r\n',
    'SETUSER a >',
    'IDENTIFY a ',
    'UGFzc3dvcmQ6\n',
    '"token" "',
    '助记词:abc abc ',
    'phrase is abc abc ',
    "password: value '",
    'session 44bc1aee',
    // Subcommands, paths that set a password, webhooks, lines of settings, refused passwords.
    'rabbitmqctl -a ',
    'add_user a ',
    'redis -a b ',
    'mysqladmin -a',
    'net user a ',
    'a-cli set-password ',
    'tried AUTH a ',
    '/setpassword/a',
    '/set-password/',
    '/hooks/catch/1',
    '/services/T0AB12CD3/B',
    'webhookb2/a',
    '/bot123456:AA',
    '\nA=b c\nTOKEN=a ',
    '\nTOKEN=a b',
    'Password abcd is ',
    'code 1234 expired ',
    ".auth('a','",
    'GET session:a:',
    // Parameters that an ORM prints, Redis's commands, received values, structs, users and codes in sentences.
    'update t set token = ? params=[a, ',
    'PARAMETERS: ["a",',
    'binding parameter [2] as [VARCHAR] - [',
    'Parameters: a(String), ',
    'SET a:token b',
    'HSET a token b ',
    '"password" is short, received "a" ',
    'value "abcde" (type string) at path "password',
    'password:[abcd], a:[',
    'Password:Abcd a:b ',
    'pwd=<abcd>',
    'user ada, password abcd',
    'password for a lautet abcd ',
    'password is wrong: ',
    'Passwort auf abcd gesetzt ',
    'and Abcd as password ',
    'that is the password ',
    'pass for a b: ',
    'login a\n  password b\n',
    'enter code 123456 to sign',
    'code from the sms is 123456 ',
    'tokenId=tok_1 ',
    'login -p a ',
    // Commands that store secrets, procedures of SQL Server, parameters after a statement, mail servers.
    'login with a / abcd ',
    'gh secret set A --body ',
    'fly secrets set A=',
    'token a <<< ',
    'net use a\\\\b\\c /user:a ',
    "sp_addlogin 'a', 'b",
    "sp_password 'a', '",
    "sp_addlinkedsrvlogin 'a', b, ",
    'update t set token = ?; 1, ',
    'update t set token = ? -- 1, ',
    'a:b | chpasswd',
    'openssl a -k ',
    '-passin pass:',
    'config set requirepass ',
    '1700000000.1 [0 a] "SET" "a:token" "',
    "password's a1 ",
    'code is 123 456 ',
    'UGFzc3dvcmQ6\na C: ',
    'login is a@b / ',
    // Start tags without an end tag.
    'key="password">a\n',
  ],
];

/**
 * An expression that searches only a limited distance reads fewer characters than this. An expression that reads more counts as one that
 * reads the whole text.
 */
const LONG = 1500;
/** At this length, an expression that takes quadratic time reads two billion characters. */
const VERY_LONG = 64 * 1024;
/** Maximum time for `VERY_LONG` characters, in milliseconds. An expression that takes linear time needs less than 10 ms. */
const MAX_MS = 500;

/** Time for all pairs of tokens on a busy machine, in milliseconds. */
const THOROUGH_MS = 600_000;

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** The regular expressions that read more than `LONG` characters of a text. */
const longExpressions = new Map<string, RegExp>();

/** Measures the work that redaction does for a text of `length` characters that repeats `piece`. */
function measureWork(piece: string, length: number): number {
  const text = repeated(piece, length);
  return countWork(
    () => void redactor.text(text),
    (expression, read) => {
      if (read > LONG) longExpressions.set(String(expression), expression);
    },
  );
}

/** True if the work grows clearly more than twofold when the text's length doubles. */
function growsFrom(piece: string, length: number): boolean {
  return measureWork(piece, 2 * length) > 2.3 * measureWork(piece, length) + 500;
}

/** Each pair of tokens. */
const PAIRS = TOKENS.flatMap((first) => TOKENS.map((second) => first + second));

describe('the work to redact a text', () => {
  it('at most doubles if a hostile text becomes twice as long', { timeout: THOROUGH_MS }, () => {
    const grown: string[] = [];
    // `npm test` tries every eleventh pair.
    const pairs = inject('thorough') === true ? PAIRS : PAIRS.filter((_pair, index) => index % 11 === 0);
    for (const piece of [...TOKENS, ...pairs]) {
      // At some lengths, redaction makes more passes over the text, so that the work more than doubles once. A piece therefore counts only
      // if the work more than doubles from 1024 to 2048 characters, and again from 2048 to 4096.
      if (growsFrom(piece, 1024) && growsFrom(piece, 2048)) grown.push(piece);
    }
    expect(grown).toEqual([]);
  });

  it('uses no regular expression that takes more than linear time for a whole text', () => {
    for (const token of TOKENS) measureWork(token, LONG + 100);
    expect(longExpressions.size).toBeGreaterThan(0);
    const slow: string[] = [];
    for (const [shown, { source, flags }] of longExpressions) {
      for (const token of TOKENS) {
        const text = repeated(token, VERY_LONG);
        const started = performance.now();
        new RegExp(source, flags).test(text);
        if (performance.now() - started < MAX_MS) continue;
        slow.push(`${shown} for many ${token}`);
        break;
      }
    }
    expect(slow).toEqual([]);
  });
});
