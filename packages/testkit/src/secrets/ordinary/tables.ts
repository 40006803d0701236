import type { Placed } from '../item.ts';
import { ALNUM, DIGITS, LOWER, type Random } from '../random.ts';

interface Found {
  readonly place: readonly Placed[];
  /** Strings that a reader must see, one per line. */
  readonly text: string;
}

const NAMES = [
  'author',
  'keyboard',
  'passenger',
  'token_count',
  'password_updated_at',
  'secretary',
  'card_brand',
  'primary_key',
  'session_duration_ms',
  'token_type',
  'compass',
  'signature_date',
];
const cell = (random: Random) =>
  `${random.chars(LOWER, 4)}-${random.chars(ALNUM, 5)}${random.chars(DIGITS, 1)}`;

function found(value: Placed['value'], text: string): Found {
  return { text, place: [{ where: 'step.outputs', value }] };
}

/** Tables, statements and labels with names that resemble the names of secrets. */
export const ORDINARY_TABLES: Readonly<Record<string, (random: Random) => Found>> = {
  'columns and rows': (random) => {
    const [first, second] = [cell(random), cell(random)];
    const columns = [random.pick(NAMES), random.pick(NAMES)];
    return found({ columns, rows: [[first, second]] }, `${first}\n${second}`);
  },
  'header row': (random) => {
    const [first, second] = [cell(random), cell(random)];
    return found(
      [
        ['id', random.pick(NAMES), random.pick(NAMES)],
        [1, first, second],
      ],
      `1\n${first}\n${second}`,
    );
  },
  CSV: (random) => {
    const text = `id,${random.pick(NAMES)}\n1,${cell(random)}\n2,${cell(random)}\n`;
    return found(text, text);
  },
  'statement and parameters': (random) => {
    const [first, second] = [cell(random), cell(random)];
    const sql = `UPDATE books SET ${random.pick(NAMES)} = $1 WHERE ${random.pick(NAMES)} = $2`;
    return found({ sql, params: [first, second] }, `${sql}\nparams\n${first}\n${second}`);
  },
  'secret column, and parameters of others': (random) => {
    const first = cell(random);
    const sql = 'SELECT id, password FROM users WHERE email = ? AND active = ?';
    return found([sql, [first, true]], `${sql}\n${first}\ntrue`);
  },
  'label and text': (random) => {
    const content = random.pick([
      'Choose at least 12 characters',
      'Required',
      'This field is required',
      'Forgot it? We will send you a link',
    ]);
    const label = random.pick(['Password', 'API key', 'Your token']);
    return found({ label, content }, `${label}\ncontent\n${content}`);
  },
  'label of something else': (random) => {
    const data = cell(random);
    const title = random.pick([
      'Keyboard',
      'Passenger',
      'Author',
      'Password reset',
      'Token count',
      'Cookie recipe',
    ]);
    return found({ title, data }, `${title}\ndata\n${data}`);
  },
};
