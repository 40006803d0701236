import type { CapturedValue } from '@throughline/contract';
import type { Random } from '../random.ts';
import type { NamedForm } from './named-values.ts';
import { plainSecret } from './secret-texts.ts';

type Build = (name: string, secret: string, random: Random) => CapturedValue;

function beside(build: Build): NamedForm {
  return (random, name) => {
    const secret = plainSecret(random);
    return { secret, value: build(name, secret, random) };
  };
}

/**
 * Values that belong to a secret's name in another list, statement or text. The name has only characters that the name of a column can
 * have.
 */
export const SIBLING_VALUES: Readonly<Record<string, NamedForm>> = {
  'columns and rows': beside((name, secret, random) => ({
    [random.pick(['columns', 'fields', 'headers', 'keys', 'cols'])]: ['id', name],
    [random.pick(['rows', 'values', 'data', 'records'])]: [
      [1, 'none'],
      [2, secret],
    ],
  })),
  'columns as objects, and rows': beside((name, secret) => ({
    fields: [
      { name: 'id', type: 'int' },
      { name, type: 'text' },
    ],
    rows: [[1, secret]],
  })),
  'header row': beside((name, secret) => [
    ['id', name, 'active'],
    [1, secret, true],
  ]),
  CSV: beside((name, secret, random) => {
    const separator = random.pick([',', ';', '\t']);
    return [
      // In CSV, a word for a secret is recognized only at the beginning of one of the name's words. Names without separators, such as
      // `dbpassword`, are therefore replaced.
      ['id', /[_.-]/.test(name) ? name : 'user_password', 'active'],
      ['1', secret, 'true'],
    ]
      .map((row) => row.join(separator))
      .join('\n');
  }),
  'JSON of columns and rows': beside((name, secret) =>
    JSON.stringify({ columns: ['id', name], rows: [[1, secret]] }),
  ),
  'statement and parameters': beside((name, secret, random) => [
    `INSERT INTO accounts (${random.pick(['email', 'owner', 'keyboard'])}, ${quoteName(name)}) VALUES ($1, $2)`,
    ['ada', secret],
  ]),
  'statement and parameters in an object': beside((name, secret, random) => ({
    [random.pick(['sql', 'text', 'query'])]: `UPDATE accounts SET ${quoteName(name)} = ? WHERE id = ?`,
    [random.pick(['values', 'params', 'bindings'])]: [secret, 7],
  })),
  'statement and named parameters': beside((name, secret) => [
    `SELECT id FROM accounts WHERE ${quoteName(name)} = :given LIMIT 1`,
    { given: secret },
  ]),
  'label and content': beside((name, secret, random) => ({
    [random.pick(['label', 'title', 'field', 'header', 'param', 'caption'])]: name,
    [random.pick(['content', 'data', 'text', 'value', 'val'])]: secret,
  })),
};

function quoteName(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name}"`;
}
