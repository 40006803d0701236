import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../redactor.ts';

const redactor = new Redactor();
const SECRET = 'Zq81kLmWp0x3';
const everything = expect.objectContaining({ showsBound: true, showsRows: true });
const nothing = expect.objectContaining({ showsBound: false, showsRows: false });
const boundOnly = expect.objectContaining({ showsBound: true, showsRows: false });

describe('the values of a statement are shown', () => {
  it.each([
    'SELECT * FROM users WHERE id = $1',
    'SELECT id, password FROM users WHERE id = ?',
    'SELECT "User"."id", "User"."password", "User"."name" FROM "users" AS "User" WHERE ("User"."email" = $1) LIMIT $2',
    'select `u`.`id`, `u`.`password_hash` as `passwordHash` from `users` as `u` where `u`.`id` = ? order by `u`.`id` asc limit ?',
    'SELECT u.password AS "userPassword", u.id FROM users u',
    "SELECT count(*) FROM orders WHERE created_at > now() - interval '7 days' AND (status = 'paid' OR status = $1)",
    'SELECT o.id, max(p.price) FROM orders o JOIN products p ON (p.id = o.product_id) WHERE o.id IN ($1, $2) GROUP BY o.id',
    'WITH recent AS (SELECT id, total FROM orders WHERE region = $1) SELECT * FROM recent',
    'INSERT INTO orders (id, total, region) VALUES ($1, $2, $3) RETURNING id',
    'INSERT INTO counters (name, n) VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET n = counters.n + 1 RETURNING n',
    'UPDATE orders SET total = $1 WHERE id = $2',
    'DELETE FROM carts WHERE id = @id',
    'SELECT 1;',
    'SELECT count(*) AS sessions, max(keys) FROM daily_stats WHERE day = $1',
    '/* controller=orders */ SELECT id FROM orders WHERE id = $1',
    '-- name: GetOrder\nSELECT id FROM orders WHERE id = $1',
    'SELECT count(*) AS total, sum(total) AS revenue FROM orders WHERE region = $1',
    'SELECT EXISTS (SELECT 1 FROM likes WHERE post_id = $1 AND user_id = $2) AS liked',
    'SELECT CAST(price AS DECIMAL(10,2)) AS price FROM products',
    'INSERT INTO settings (app, key, value) VALUES ($1, $2, $3)',
    'INSERT INTO "orders" ("id", "total") VALUES (default, $1), (default, lower($2)) RETURNING "id"',
    "SELECT * FROM products WHERE name ILIKE '%' || $1 || '%' AND price BETWEEN $2 AND $3 AND NOT (stock < $4)",
    'SELECT * FROM events WHERE ($1::text IS NULL OR name = $1) AND at >= date_trunc($2, now()) LIMIT $3 OFFSET $4',
    'SELECT * FROM posts WHERE $1 = ANY(tags) AND id = ANY($2::uuid[]) AND title @@ to_tsquery($3)',
    'UPDATE carts SET items = items + ?, note = coalesce(?, note) WHERE id = ? AND kind NOT IN (?, ?)',
    'SELECT id FROM orders LIMIT ?, ?',
  ])(
    'if the statement contains no secret’s name, except as a column that is returned under this name: %s',
    (statement) => {
      expect(redactor.judgeStatement(statement)).toEqual(everything);
    },
  );
});

describe('only the bound values of a statement are shown', () => {
  it.each([
    'SELECT name FROM users UNION SELECT * FROM logins',
    'SELECT * FROM users u(a, b, c)',
    'SELECT * FROM users AS u(a, b, c)',
    'SELECT * FROM (SELECT * FROM users) AS u(a, b, c)',
    'SELECT * FROM (SELECT * FROM users) u (a, b, c)',
    'WITH u(a, b, c) AS (SELECT * FROM users) SELECT * FROM u',
    'INSERT INTO logs SELECT * FROM users RETURNING *',
    'WITH x AS (INSERT INTO logs SELECT * FROM users RETURNING *) SELECT * FROM x',
    'SELECT * FROM ONLY users u(a, b, c)',
    'SELECT * FROM logs l, users u(a, b, c)',
    'WITH [u](a, b, c) AS (SELECT * FROM users) SELECT * FROM [u]',
    'WITH u(a, b, c) /* x */ AS MATERIALIZED (SELECT * FROM users) SELECT * FROM u',
    'SELECT * FROM users é(a, b, c)',
    'SELECT * FROM users AS "order"(a, b, c)',
    'SELECT v.value FROM users u, jsonb_each_text(to_jsonb(u)) v',
    'SELECT json_build_array(u.*) FROM users u',
  ])('if the columns of the returned rows can have new names: %s', (statement) => {
    expect(redactor.judgeStatement(statement)).toEqual(boundOnly);
  });
});

describe('no value of a statement is shown', () => {
  it.each([
    // Bound values beside a secret's name, in forms that differ from dialect to dialect.
    'SELECT * FROM users WHERE email = $1 AND password = $2',
    'SELECT * FROM users WHERE token NOT IN (?, ?)',
    'SELECT * FROM users WHERE lower(token) = lower(?)',
    'SELECT * FROM users WHERE token GLOB ? COLLATE NOCASE',
    'UPDATE users SET (name, password) = (?, ?)',
    'UPDATE users SET password = CASE id WHEN 1 THEN ? ELSE ? END',
    'INSERT INTO users (id, password) OVERRIDING SYSTEM VALUE VALUES ($1, $2)',
    'INSERT INTO users (name, password) SELECT ?, ? UNION ALL SELECT ?, ?',
    'INSERT INTO users (name, password) SELECT * FROM unnest($1::text[], $2::text[])',
    'SELECT id FROM users WHERE token = ANY(ARRAY[lower($1)]) AND id = $2',
    "SELECT id FROM users WHERE /* /* */ ' */ password = $1 /* ' */ AND name = $2",
    "SELECT * FROM users WHERE note = 'it\\'s ?' AND password = ?",
    'SELECT ?? FROM ?? WHERE password = ?',
    'SELECT $1 password',
    // Tables, aliases and texts with the name of a secret.
    'UPDATE OR REPLACE secrets SET value = ?',
    'SELECT s.value FROM users u, secrets s WHERE s.value = ?',
    'UPDATE [secrets] SET value = ?',
    'SELECT * FROM entries AS secret WHERE secret.value = $1',
    'SELECT value FROM api.keys WHERE id = $1',
    "UPDATE settings SET value = $1 WHERE name = 'smtp_password'",
    'UPDATE settings SET value = ? WHERE name = "smtp_password"',
    "SELECT value FROM settings WHERE name LIKE '%password%'",
    "SELECT value FROM settings WHERE name = 'user:7:token'",
    "SELECT value FROM settings -- don't cache\nWHERE name = 'stripe-api-key'",
    "SELECT data #>> '{smtp,password}' FROM settings",
    // Rows in which a secret has another name.
    'SELECT id, password AS p FROM users',
    'SELECT password p FROM users',
    'SELECT upper(password) FROM users',
    'SELECT id || password, name FROM users',
    'SELECT ARRAY[id, password, name] FROM users',
    'SELECT [api key] AS k FROM settings',
    'SELECT name FROM users UNION SELECT password FROM users',
    'SELECT p FROM (SELECT password, id FROM users) AS u(p, i)',
    'WITH u(p) AS (SELECT password FROM users) SELECT p FROM u',
    'INSERT INTO logs SELECT id, password FROM users RETURNING *',
    'UPDATE users SET note = password RETURNING note',
    "SELECT 'it\\'s', password AS p, 'x' FROM users",
    "SELECT $$it's$$, password AS p, $$'$$ FROM users",
    'SELECT 5--1, password AS p FROM users',
    'SELECT id, /*!40101 password AS p */ name FROM users',
    // Values without a column's name: in an INSERT without a list of columns, in function calls, in rows with too many or too few values,
    // and in expressions.
    'INSERT INTO users VALUES ($1, $2, $3)',
    'INSERT INTO users VALUES (?)',
    'REPLACE INTO users VALUES (?, ?, ?)',
    'INSERT INTO users SELECT $1, $2, $3',
    'INSERT INTO users SELECT * FROM unnest($1::int[], $2::text[])',
    'WITH d AS (VALUES ($1, $2)) INSERT INTO users SELECT * FROM d',
    'INSERT INTO users (id, name) VALUES (?, ?, ?)',
    'INSERT INTO users (id, name) VALUES (1, ?), (?)',
    'SELECT check_login($1, $2)',
    'SELECT * FROM authenticate($1, $2)',
    'SELECT api.signup(lower($1), $2)',
    'SELECT id FROM users WHERE check_login(name, $1)',
    'SELECT $1, id FROM users',
    'UPDATE users SET note = CASE id WHEN $1 THEN $2 END',
    'SELECT id FROM users WHERE (id, note) = ($1, $2)',
    'SELECT value FROM settings WHERE ? = ?',
    // Tables whose secrets have ordinary names.
    'SELECT * FROM sessions WHERE id = $1',
    'SELECT u.id FROM users u, app.sessions s WHERE s.id = $1 AND s.user_id = u.id',
    'INSERT INTO "emailVerifications" (user_id, code) VALUES ($1, $2)',
    'SELECT * FROM mfa WHERE user_id = $1 AND code = $2',
    'UPDATE magic_links SET used = true WHERE slug = $1',
    // Names of several words, with marks, or with escapes.
    "SELECT value FROM settings WHERE name = 'service-role-key'",
    'UPDATE t SET "bank account number" = $1',
    'SELECT id, "mot de passe" AS m FROM gens',
    'UPDATE u SET "code d\'acces" = $1',
    'UPDATE u SET "पासवर्ड" = $1',
    'UPDATE u SET "contrasen\u0303a" = $1',
    'SELECT U&"p\\0061ssword" AS x FROM users',
    "SELECT value FROM settings WHERE name = E'smtp_p\\x61ssword'",
    // Statements and functions whose values are secrets, or whose values have no columns.
    "SELECT pgp_sym_decrypt(data, 'k') AS d FROM files",
    'SELECT id FROM users WHERE digits = md5($1)',
    'PRAGMA key = ?',
    'CREATE USER bob IDENTIFIED BY ?',
    'CALL sign_in(?, ?)',
    'SHOW VARIABLES',
    'SELECT 1; PRAGMA key = ?',
    `SELECT ${'id, '.repeat(2000)} id FROM users`,
  ])('if one of the values can be a secret: %s', (statement) => {
    expect(redactor.judgeStatement(statement)).toEqual(nothing);
  });
});

it('a shown row never contains a secret under a harmless name', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE TABLE users (id INTEGER, name TEXT, password TEXT); INSERT INTO users VALUES (7, 'Ada', '${SECRET}')`,
  );
  const name = fc.constantFrom('id', 'u.name', 'password', 'u."password"', '`password`', '[password]');
  const alias = fc.constantFrom('AS p', 'p', 'AS "password"', 'AS secret', '/* , */ p', 'AS /* token */ p');
  const { column } = fc.letrec<{ column: string }>((tie) => ({
    column: fc.oneof(
      { maxDepth: 2 },
      { weight: 6, arbitrary: name },
      fc.tuple(name, alias).map((parts) => parts.join(' ')),
      tie('column').map((inner) => `upper(${inner})`),
      fc.tuple(tie('column'), tie('column')).map(([a, b]) => `${a} || ${b}`),
      tie('column').map((inner) => `(SELECT ${inner} FROM users)`),
      fc.constantFrom('*', 'u.*', "', password'", 'max(password, id)', "'it''s'", '1 -- x\n'),
    ),
  }));
  const from = fc.constantFrom(
    'users u',
    'users AS u',
    '(SELECT * FROM users) u',
    '(SELECT id, name, password AS p FROM users) u',
  );
  const rest = fc.constantFrom(
    '',
    ' WHERE password = password',
    ' UNION SELECT * FROM users',
    ' UNION SELECT password, 1 FROM users',
    ' WHERE (id IN (7))',
  );
  let shown = 0;
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 3 }), from, rest, (columns, table, end) => {
      const statement = `SELECT ${columns.join(', ')} FROM ${table}${end}`;
      if (!redactor.judgeStatement(statement).showsRows) return;
      let rows: Record<string, unknown>[];
      try {
        rows = database.prepare(statement).all();
      } catch {
        return;
      }
      shown++;
      for (const [key, value] of rows.flatMap((row) => Object.entries(row)))
        if (redactor.judge(key) === 'plain')
          expect(String(value).toLowerCase(), statement).not.toContain(SECRET.toLowerCase());
    }),
    { numRuns: 3000 },
  );
  expect(shown).toBeGreaterThan(200);
  database.close();
});
