import { luhnSum } from '../forms/shape-blocks.ts';
import { ALNUM, base64, DIGITS, HEX, LOWER, type Random, UPPER, uuid } from '../random.ts';

type TextMaker = (random: Random) => string;

const digits = (length: number) => (random: Random) => random.chars(DIGITS, length);
const fixed =
  (...texts: readonly string[]): TextMaker =>
  (random) =>
    `${random.pick(texts)} #${random.int(100_000)}`;

/** Builds digits that are not a card number, because the last digit is not a valid check digit. */
const noCard =
  (length: number, prefix = ''): TextMaker =>
  (random) => {
    for (;;) {
      const number = prefix + random.chars(DIGITS, length - prefix.length);
      if (luhnSum(number) % 10 !== 0) return number;
    }
  };

/** Ordinary values of programs, by kind. */
export const ORDINARY_VALUES: Readonly<Record<string, TextMaker>> = {
  UUID: uuid,
  'git SHA': (random) => random.chars(HEX, 40),
  'short git SHA': (random) => random.chars(HEX, 7),
  MD5: (random) => random.chars(HEX, 32),
  'SHA-256': (random) => `sha256:${random.chars(HEX, 64)}`,
  ETag: (random) => `W/"${random.chars(HEX, 5)}-${random.chars(ALNUM, 27)}"`,
  ObjectId: (random) => `65${random.chars(HEX, 22)}`,
  nanoid: (random) => random.chars(ALNUM, 21),
  ULID: (random) => `01J${random.chars(`${DIGITS}ABCDEFGHJKMNPQRSTVWXYZ`, 23)}`,
  'Stripe object id': (random) =>
    `${random.pick(['cus', 'pi', 'sub', 'evt', 'ch'])}_${random.chars(ALNUM, 24)}`,
  'order number': (random) => `ORD-2026-${random.chars(DIGITS, 8)}`,
  SKU: (random) => `SKU-${random.chars(UPPER, 3)}-${random.chars(DIGITS, 4)}`,
  'ISO date': (random) => `2026-0${1 + random.int(9)}-1${random.int(10)}T0${random.int(10)}:15:00.000Z`,
  'epoch in milliseconds': noCard(13, '17'),
  'epoch in microseconds': noCard(16, '17'),
  snowflake: noCard(18, '11'),
  'sixteen digits of no card': noCard(16, '4'),
  'sixteen digits in groups, of no card': (random) =>
    noCard(16, '51')(random).replace(/(\d{4})(?=\d)/g, '$1 '),
  'tracking number': (random) => `1Z${random.chars(UPPER + DIGITS, 16)}`,
  ISBN: noCard(13, '978'),
  'long digits': noCard(30, '8'),
  'phone number': (random) => `+49 30 ${random.chars(DIGITS, 4)} ${random.chars(DIGITS, 4)}`,
  'phone number, American': (random) => `(555) ${random.chars(DIGITS, 3)}-${random.chars(DIGITS, 4)}`,
  price: (random) => `€ ${random.int(9000)}.${random.chars(DIGITS, 2)}`,
  'decimal number': (random) => `0.${random.chars(DIGITS, 17)}`,
  coordinates: (random) =>
    `${random.int(89)}.${random.chars(DIGITS, 6)},${random.int(179)}.${random.chars(DIGITS, 6)}`,
  'IP address': (random) => `10.${random.int(255)}.${random.int(255)}.${random.int(255)}`,
  'IPv6 address': (random) => `2001:db8::${random.chars(HEX, 4)}:${random.chars(HEX, 4)}`,
  'MAC address': (random) => Array.from({ length: 6 }, () => random.chars(HEX, 2)).join(':'),
  version: (random) =>
    `${random.int(30)}.${random.int(30)}.${random.int(30)}-beta.${random.int(9)}+build.${random.int(999)}`,
  'user agent': (random) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1${random.chars(DIGITS, 2)}.0.0.0 Safari/537.36`,
  'mail address': (random) => `${random.chars(LOWER, 8)}@example.com`,
  traceparent: (random) => `00-${random.chars(HEX, 32)}-${random.chars(HEX, 16)}-01`,
  'base64 image': (random) => `data:image/png;base64,iVBORw0KGgo${random.chars(ALNUM, 200)}=`,
  'base64 text': (random) => base64(`Hello, order ${random.chars(DIGITS, 30)} is on its way`),
  'hex colour list': (random) => `#${random.chars(HEX, 6)}, #${random.chars(HEX, 6)}`,
  'public SSH key': (random) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.chars(ALNUM, 43)} ada@laptop`,
  certificate: (random) => {
    const dashes = '-'.repeat(5);
    return `${dashes}BEGIN CERTIFICATE${dashes}\n${random.chars(ALNUM, 64)}\n${dashes}END CERTIFICATE${dashes}`;
  },
  'time range': (random) => `${digits(2)(random)}:00-${digits(2)(random)}:30`,
  'AWS ARN': (random) =>
    `arn:aws:secretsmanager:us-east-1:1${random.chars(DIGITS, 11)}:secret:prod/db-${random.chars(LOWER, 6)}`,
  'npm package': (random) => `@scope/${random.chars(LOWER, 8)}@^${random.int(9)}.2.0`,
};

/** Sentences and messages about secrets that contain no secret. */
export const ORDINARY_SENTENCES: Readonly<Record<string, TextMaker>> = {
  'about passwords': fixed(
    'Your password must be 8 characters or more',
    'password: must be at least 8 characters',
    'Password is required',
    'The password is too short',
    'password and confirmation do not match',
    'Forgot your password? Reset it here',
    'wrong password for user ada',
    'Invalid username or password',
    'password changed successfully',
  ),
  'about passwords, in other languages': fixed(
    'Das Passwort muss mindestens 8 Zeichen haben',
    'Passwort vergessen? Hier zurücksetzen',
    'La contraseña debe tener al menos 8 caracteres',
    'Le mot de passe est obligatoire',
    'Mot de passe oublié ?',
    'A senha deve ter no mínimo 8 caracteres',
    'Пароль должен содержать не менее 8 символов',
    '密码不能为空',
    'パスワードを忘れた方はこちら',
    '비밀번호를 입력하세요',
  ),
  'about tokens': fixed(
    'token expired',
    'jwt expired',
    'Unexpected token } in JSON at position 12',
    'Unexpected token < in JSON',
    'Token is invalid or has been revoked',
    'token: must be a string',
    'Bearer token is missing',
    'the token has no audience',
    'invalid signature',
    'CSRF token mismatch',
    'no authorization header was sent',
    'used 1532 tokens of 4096',
  ),
  'about keys': fixed(
    'duplicate key value violates unique constraint "orders_pkey"',
    'Missing key: orderId',
    'API key is missing',
    'unknown primary key: order_id',
    'key: value pairs are expected',
    'the secret is not configured',
    'Press any key: space or enter',
    'cache key: orders, hit',
  ),
  'about authorization': fixed(
    'Basic authentication is required',
    'Basic plan, billed monthly',
    'Bearer of good news',
    'Authorization: Bearer <token>',
    'user is not authorized to read orders',
    'signature verification failed',
    'Signed in as ada (role: admin)',
  ),
  code: fixed(
    'const token = req.headers.authorization',
    'if (password !== confirmation) throw new Error("different")',
    'function hashPassword(password: string): Promise<string>',
    "Cannot read properties of undefined (reading 'password')",
    "Cannot destructure property 'token' of 'req.body' as it is undefined.",
    'process.env.API_KEY is undefined',
    'type Login = { password: string; token?: string }',
    'password = await prompt("Password: ")',
  ),
  'values that are missing': fixed(
    'token: undefined',
    'password: null',
    'password: ""',
    'token=undefined',
    'secret: (none)',
    'authorization: null',
  ),
  SQL: fixed(
    'SELECT id, mail, role FROM accounts WHERE id = $1 AND password = $2',
    'UPDATE accounts SET password = ? WHERE id = ?',
    'SELECT count(*) FROM tokens WHERE expires_at < now()',
    'INSERT INTO api_keys (id, name, created_at) VALUES ($1, $2, $3)',
    'ALTER TABLE accounts ADD COLUMN password_hash text',
    'CREATE INDEX tokens_expire ON tokens (expires_at)',
  ),
  GraphQL: fixed(
    'mutation Login($password: String!) { login(password: $password) { id } }',
    'query { tokens(first: 20) { id name expiresAt } }',
    'query Keys { apiKeys { name lastUsedAt } }',
  ),
  HTML: fixed(
    '<input type="password" name="password" autocomplete="current-password">',
    '<label for="token">Token</label><input id="token" value="">',
    '<a href="/password/forgot">Forgot password?</a>',
  ),
  'stack trace': (random) =>
    `Error: refused\n    at verifyToken (/app/src/auth/token.ts:${random.int(400)}:11)\n    at checkPassword (/app/src/auth/password.ts:17:5)\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`,
  file: (random) =>
    `src/auth/${random.pick(['password-reset', 'api-key', 'token-store', 'secret-santa'])}-${random.chars(LOWER, 4)}.ts`,
  'path of a URL': (random) =>
    `${random.pick(['password/forgot', 'api-keys', 'tokens', 'auth/callback', 'users/secrets'])}/${random.int(90_000)}`,
  address: (random) =>
    `https://shop.example.com/${random.pick(['tokens', 'keys', 'orders'])}?page=${random.int(900)}&sort=key&limit=20`,
  'log line': (random) =>
    `level=info msg="signed in" user=ada method=password attempts=${random.int(900)} tokens=${random.int(9000)} key=orders`,
};
