import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../../values.ts';
import { Redactor } from '../redactor.ts';

const redactor = new Redactor();
const SECRET = 'zx81-spectrum';

function show(value: unknown): string {
  return JSON.stringify(redactor.value(JSON.parse(JSON.stringify(value))));
}

describe('a value beside the name of a secret is redacted', () => {
  it.each([
    [{ label: 'Password', content: SECRET }],
    [{ title: 'API key', data: SECRET }],
    [{ title: 'Your new password:', text: SECRET }],
    [{ caption: 'PIN', input: 4821, note: SECRET.slice(0, 0) }],
    [{ question: 'What is your password?', answer: SECRET }],
    [{ field: 'password', text: SECRET }],
    [{ header: 'authorization', data: SECRET }],
    [{ param: 'client_secret', content: SECRET }],
    [{ id: 'password', value: SECRET }],
    [{ type: 'password', value: SECRET }],
    [{ Label: 'Passwort', Content: SECRET }],
    [{ display_name: 'Access token', string_value: SECRET }],
    [{ content: SECRET, label: 'Password' }],
    [{ label: 'Backup codes', data: [SECRET, `${SECRET}2`] }],
    [{ $type: 'object', class: 'Field', properties: { label: 'Password', content: SECRET } }],
    [{ columns: ['id', 'password'], rows: [[1, SECRET]] }],
    [{ rows: [[1, SECRET]], columns: ['id', 'password'] }],
    [{ fields: ['id', 'api_key'], values: [1, SECRET] }],
    [{ fields: [{ name: 'id' }, { name: 'password' }], rows: [[1, SECRET]] }],
    [{ cols: [{ id: 'user' }, { id: 'token' }], data: [{ c: [{ v: 1 }, { v: SECRET }] }] }],
    [
      {
        schema: { fields: [{ name: 'id' }, { name: 'secret' }] },
        rows: [{ f: [{ v: '1' }, { v: SECRET }] }],
      },
    ],
    [{ meta: [{ name: 'id' }, { name: 'password' }], data: [[1, SECRET]] }],
    [
      {
        columns: ['password', 'id'],
        data: [
          [SECRET, `${SECRET}2`, `${SECRET}3`],
          [1, 2, 3],
        ],
      },
    ],
    [
      [
        ['id', 'password'],
        [1, SECRET],
        [2, `${SECRET}2`],
      ],
    ],
    [
      [
        ['email', 'password'],
        ['ada@example.com', SECRET],
      ],
    ],
    [{ keys: ['user', 'password'], result: { records: [['ada', SECRET]] } }],
    [['INSERT INTO users (email, password) VALUES ($1, $2)', ['ada@example.com', SECRET]]],
    [{ sql: 'INSERT INTO users (email, password) VALUES (?, ?)', params: ['ada@example.com', SECRET] }],
    [{ text: 'UPDATE users SET name = $1, password = $2 WHERE id = $3', values: ['ada', SECRET, 7] }],
    [
      {
        query: 'UPDATE users SET name = ?, password_hash = crypt(?, gen_salt(?)) WHERE id = ?',
        bindings: ['ada', SECRET, 'bf', 7],
      },
    ],
    [['SELECT * FROM sessions WHERE token = :t', { t: SECRET }]],
    [{ sql: 'SELECT * FROM sessions WHERE token = :token', replacements: { ':token': SECRET } }],
    [['SELECT * FROM users WHERE email = ? AND password = ?', 'ada@example.com', SECRET]],
    [['SELECT id FROM keys WHERE api_key IN (?, ?)', ['a', SECRET]]],
    [['INSERT INTO t (a, token) VALUES (?, ?), (?, ?)', [1, SECRET, 2, `${SECRET}2`]]],
    [['INSERT INTO t (a, token) VALUES ?', [[[1, SECRET]]]]],
    [
      [
        'INSERT INTO t (a, token) VALUES (?, ?)',
        [
          [1, SECRET],
          [2, `${SECRET}2`],
        ],
      ],
    ],
    [[['INSERT INTO users (email, password) VALUES (', ', ', ')'], 'ada@example.com', SECRET]],
    [{ strings: ['UPDATE users SET password = ', ' WHERE id = ', ''], values: [SECRET, 7] }],
    [
      {
        sql: 'UPDATE u SET password = :p WHERE id = :id',
        parameters: [{ name: 'p', value: { stringValue: SECRET } }],
      },
    ],
    [{ 'db.query.text': 'UPDATE u SET password = $1 WHERE id = $2', 'db.query.parameter.0': SECRET }],
    [['INSERT INTO u (id, password) SELECT $1, $2', [1, SECRET]]],
    [['ALTER USER ada PASSWORD $1', [SECRET]]],
    [['SELECT $1 AS id, $2::text AS password', [1, SECRET]]],
    [['select 1 from u where $1 = password_hash', [SECRET]]],
    [['/* app */ UPDATE "users" SET "password" = @p1 WHERE "id" = @p2', { p1: SECRET, p2: 7 }]],
    ['id,password\n1,zx81-spectrum\n2,zx81-spectrum'],
    ['email;api_key;name\r\nada@example.com;zx81-spectrum;Ada\r\n'],
    ['id\tsecret\n1\tzx81-spectrum'],
    ['"id","password"\n"1","zx81-spectrum, x"'],
    ['| id | password |\n|----|----|\n| 1 | zx81-spectrum |'],
    [' id | password \n----+------\n  1 | zx81-spectrum\n(1 row)'],
    ['{"csv":"id,password\\n1,zx81-spectrum\\n"}'],
    ['{"columns":["id","password"],"rows":[[1,"zx81-spectrum"]]}'],
    ['{"label":"Password","content":"zx81-spectrum"}'],
    ['saved {"sql":"UPDATE u SET password = ?","params":["zx81-spectrum"]} in 3 ms'],
    ['{"body":"{\\"columns\\":[\\"id\\",\\"password\\"],\\"rows\\":[[1,\\"zx81-spectrum\\"]]}"}'],
    [['UPDATE u SET password = $1 WHERE id = $2', SECRET, [7]]],
    [['UPDATE u SET password = $1 WHERE id = $2', SECRET, { $type: 'redacted', of: 'array' }]],
    [['UPDATE u SET id = $1, password = $2', 7, { $type: 'string', value: SECRET, length: 9000 }]],
    [['UPDATE u SET id = $1, password = $2', 7, { $type: 'Buffer', size: 9, base64: SECRET }]],
    [['INSERT INTO u (id, password) VALUES ?', [[7, SECRET]]]],
    [['INSERT INTO u (id, password) SELECT unnest($1::int[]), unnest($2::text[])', [[7], [SECRET, SECRET]]]],
    [['MERGE INTO u USING x ON u.id = ? WHEN MATCHED THEN UPDATE SET u.token = ?', [7, SECRET]]],
  ])('%j', (value) => {
    expect(show(value)).not.toContain(SECRET);
    expect(show(value)).not.toContain('4821');
  });
});

describe('a value beside an ordinary name stays readable', () => {
  it.each([
    [{ label: 'Password', content: 'Must have at least 12 characters' }],
    [{ title: 'Forgot your password?', text: 'Click the link to choose a new one' }],
    [{ title: 'Password reset', text: 'abc-1234' }],
    [{ title: 'Cookie recipe', text: 'flour-500 sugar-200' }],
    [{ label: 'Password', text: 'Password' }],
    [{ label: 'Password', text: 'required' }],
    [{ key: 'login.password.label', text: 'Passwort' }],
    [{ label: 'Tokens', data: 1200 }],
    [{ label: 'Failed passwords', data: [3, 4, 5] }],
    [{ type: 'token', value: 'const' }],
    [{ id: 'token', data: { line: 3 } }],
    [
      {
        columns: ['author', 'keyboard', 'passenger', 'token_count'],
        rows: [['ada-7', 'qwerty-1', 'ken-8', 12]],
      },
    ],
    [{ columns: ['tokens', 'id'], rows: [[1200, 1]] }],
    [{ columns: ['id', 'password'], rows: [{ id: 1 }], total: 1 }],
    [{ labels: ['Password', 'Google'], datasets: [{ data: [10, 20] }] }],
    [{ fields: ['id', 'password'], errors: ['abc-1', 'too short-2'] }],
    [
      [
        ['author', 'keyboard'],
        ['ada-7', 'qwerty-1'],
      ],
    ],
    [
      [
        ['type', 'password'],
        ['state', 'required'],
      ],
    ],
    [['SELECT id, password FROM users WHERE email = $1 LIMIT $2', ['ada@example.com', 10]]],
    [['INSERT INTO users (email, password_updated_at) VALUES ($1, $2)', ['ada-7@example.com', '2026-01-01']]],
    [['UPDATE books SET author = ?, keyboard = ? WHERE token_count > ?', ['ada-7', 'qwerty-1', 12]]],
    [['UPDATE u SET author = $1, keyboard = $2', 'ada-7', ['qwerty-1'], 'ken-8']],
    [{ sql: 'UPDATE u SET password = $2 WHERE id = $1', tags: ['abc-1', 'def-2', 'ghi-3'] }],
    ['id,author,keyboard\n1,ada-7,qwerty-1\n'],
    ['id,token_count\n1,1200\n'],
    ['Bring your password, and keys\nThen go, and relax'],
    ['{"label":"Password","content":"at least 12 characters"}'],
    ['{"columns":["author","token_count"],"rows":[["ada-7",1200]]}'],
    ['Update: the password of $1 was changed'],
  ])('%j', (value) => {
    expect(show(value)).toBe(JSON.stringify(value));
  });

  it('SQL parameters of columns without a secret’s name stay readable', () => {
    const shown = show({
      sql: 'INSERT INTO users (email, password, name) VALUES ($1, $2, $3)',
      params: ['ada@example.com', SECRET, 'Ada-7'],
    });
    expect(shown).toContain('"params":["ada@example.com",{"$type":"redacted","of":"string"},"Ada-7"]');
  });
});

describe('raw headers among credentials', () => {
  const show = (value: CapturedValue) => JSON.stringify(redactor.value(value));

  it('show the names of headers and hide every other text', () => {
    const names = ['Host', 'X-Api-Key', 'Accept-Encoding', SECRET, 'swordfish'];
    const shown = show({ credentials: { rawHeaders: names.flatMap((name) => [name, 'velvet']) } });
    for (const name of names.slice(0, 3)) expect(shown).toContain(name);
    for (const text of [SECRET, 'swordfish', 'velvet']) expect(shown).not.toContain(text);
    expect(show(JSON.parse(shown))).toBe(shown);
  });

  it('hide a header’s name that looks like a secret, if they are below a name such as `token`', () => {
    expect(show({ token: { rawHeaders: [SECRET, 'a'] } })).not.toContain(SECRET);
    expect(show({ token: { rawHeaders: ['Host', 'a'] } })).toContain('Host');
  });
});
