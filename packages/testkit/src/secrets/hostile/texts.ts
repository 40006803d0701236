import { HOSTILE_PIECES } from './pieces.ts';

/** A text for which a detector of secrets could need more than linear time. */
export interface HostileText {
  readonly name: string;
  readonly text: string;
}

/**
 * Prefix, repeated piece and ending of a text. In most texts, the ending prevents a match, so that a detector has read the whole text
 * before it finds out that nothing matches.
 */
const ENDINGS: readonly (readonly [string, string, string])[] = [
  ['', '-eyJ', '!'],
  ['eyJ', 'a', '!'],
  ['eyJhbGciOiJIUzI1NiJ9.', 'a', ''],
  ['eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ', '.', ''],
  ['password=', 'a', ''],
  ['password="', '\\"', ''],
  ['password="', '\\\\', '"'],
  ["password='", "''", ''],
  ['password', ' ', '='],
  ['password', '\t', ':'],
  ['password: ', ' ', 'x'],
  ['pass', 'word', '='],
  ['{"', 'password', '":1}'],
  ['{"password":"', '\\', '"}'],
  ['', '{"a":', '1'],
  ['', '[', ']'],
  ['postgres://', 'a', '@'],
  ['postgres://', 'a:', '@'],
  ['postgres://a:', 'b', ''],
  ['postgres://a:', '@', 'host'],
  ['https://', 'a.', '@'],
  ['Bearer ', 'a', ''],
  ['Bearer', ' ', 'a'],
  ['Authorization:', ' ', 'Basic a'],
  ['Basic ', 'A', '='],
  ['-----BEGIN ', 'A', 'PRIVATE KEY-----'],
  ['-----BEGIN PRIVATE KEY-----', 'A', ''],
  ['-----BEGIN PRIVATE KEY-----', '\nA', '-----END'],
  ['', '-----BEGIN A PRIVATE KEY-----', '-----END A PRIVATE KEY-----'],
  ['4', '1', 'x'],
  ['', '4111 1111 1111 1111 ', '4111 1111 1111 1112'],
  ['', '1 ', 'x'],
  ['<password', ' a="b"', '>x</password>'],
  ['<password>', 'a', '</passwor'],
  ['', '<password>', '</password>'],
  ['curl ', '-u ', 'a:b'],
  ['curl ', '-H x ', '-u a:b'],
  ['SET password', ' ', "= 'x'"],
  ['INSERT INTO a (password', ',b', ") VALUES ('x')"],
  ['?', 'a=b&', 'password=x'],
  ['', '%25', '3D'],
  ['https://hooks.slack.com/services/', 'T', '/B/x'],
  ['github_pat_', 'a', '_'],
  ['SG.', 'a', '.'],
  ['xoxb-', '1', '-'],
  ['$argon2id$', 'v=1,', '$'],
  ['AKIA', 'A', '!'],
  ['Your verification code is', ' ', '1'],
  ['password=x ', 'password=y ', ''],
];

const BUILDERS: readonly { readonly name: string; readonly build: (size: number) => string }[] = [
  ...HOSTILE_PIECES.map((piece) => ({
    name: `${JSON.stringify(piece)} repeated`,
    build: (size: number) => fill('', piece, '', size),
  })),
  ...ENDINGS.map(([start, piece, end]) => ({
    name: `${JSON.stringify(start)}, ${JSON.stringify(piece)} repeated, ${JSON.stringify(end)}`,
    build: (size: number) => fill(start, piece, end, size),
  })),
];

/** Builds hostile texts of a size in UTF-16 units. The redaction of a text of twice the size must take only about twice the time. */
export function hostileTexts(size: number): HostileText[] {
  return BUILDERS.map(({ name, build }) => ({ name, text: build(size) }));
}

/** Builds only the hostile text of the given name. At large sizes, all texts of `hostileTexts` together would take too much memory. */
export function buildHostileText(name: string, size: number): string {
  const found = BUILDERS.find((builder) => builder.name === name);
  if (found === undefined) throw new Error(`no hostile text is called ${name}`);
  return found.build(size);
}

function fill(start: string, piece: string, end: string, size: number): string {
  const room = Math.max(0, size - start.length - end.length);
  return start + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + end;
}
