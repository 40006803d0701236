import { ALNUM, BASE64URL, base64, DIGITS, HEX, type Random, uuid } from '../random.ts';

/** Names of secrets, names that can also mean something else, and ordinary names. */
const NAMES: readonly string[] = [
  ...['password', 'db_password', 'Passwort', 'contraseña', 'senha', 'passwd', 'pwd', 'pw', 'pass', 'DB_PASS'],
  ...[
    'token',
    'access_token',
    'tokens',
    'apiKey',
    'api_keys',
    'secret',
    'clientSecret',
    'secretId',
    'tokenId',
  ],
  ...['pin', 'otp', 'tan', 'code', 'session', 'sessionId', 'cookie', 'Authorization', 'X-Api-Key', 'auth'],
  ...[
    'card',
    'salt',
    'signature',
    'credentials',
    'accountNumber',
    'invite',
    'key',
    'hash',
    'iv',
    'verification code',
  ],
  ...[
    'id',
    'name',
    'value',
    'note',
    'user',
    'status',
    'path',
    'columns',
    'rows',
    'params',
    'query',
    'mot de passe',
  ],
];
const WORDS: readonly string[] = [
  ...['Sommer', 'velvet', 'elephant', 'hunter2', 'Harbor-9', 'Tr0mbone!55', 'qWeRtZu', 'admin', 'expired'],
  ...[
    'velvet harbor lantern',
    'Correct Horse Battery Staple',
    'correct-horse',
    'null',
    '4821',
    '482913',
    'a b',
  ],
  ...[
    '/setpassword/ann/Sommer',
    '/etc/ssl/key.pem',
    'ada@example.com',
    'bearer',
    'secret',
    'true',
    '***',
    '{x}',
  ],
];
const LINKS: readonly ((name: string, value: string, user: string) => string)[] = [
  (name, value) => `/orders?page=2&${name}=${value}&sort=asc`,
  (name, value) => `https://a.example/cb#${name}=${value}`,
  (_name, value, user) => `postgres://${user}:${value}@db.example:5432/shop`,
  (_name, value, user) => `/setpassword/${user}/${value}`,
  (_name, value) => `https://a.example/reset-password/${value}?lang=de`,
  (_name, value, user) => `/check-password/${user}/${value}`,
  (_name, value) => `/invite/accept/${value}`,
  (_name, value, user) => `scott/${value}@//db:1521/${user}`,
];
const FORMS: readonly ((name: string, value: string, user: string) => string)[] = [
  ...LINKS,
  (name, value) => `${name}: ${value}`,
  (name, value) => `${name}=${value}`,
  (name, value) => `${name} = "${value}"`,
  (name, value) => `{"${name}":"${value}"}`,
  (name, value) => `{ ${name}: '${value}', id: 7 }`,
  (name, value, user) => `[["${user}","a"],["${name}","${value}"]]`,
  (name, value) => `["${name}","${value}"]`,
  (name, value) => `{"name":"${name}","value":"${value}"}`,
  (name, value) => `${name}:\n  - ${value}\n`,
  (name, value) => `${name}: |\n  ${value}\n`,
  (name, value, user) => `USER=${user}\n${name}=${value}\nPORT=80\n`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `<add key="${name}" value="${value}"/>`,
  (name, value, user) => `id,${name}\n${user},${value}\n`,
  (name, value, user) => `| user | ${name} |\n|---|---|\n| ${user} | ${value} |\n`,
  (name, value) => `The ${name} is ${value}.`,
  (name, value, user) => `${name} for ${user} was changed to ${value}`,
  (name, value) => `Das ${name} lautet „${value}“`,
  (name, value) => `${name} '${value}' is wrong`,
  (name, value) => `${name} ${value} is too short`,
  (name, value) => `'${value}' is my ${name}`,
  (name, value) => `${name} (${value}) expired`,
  (_name, value, user) => `login with ${user} / ${value}`,
  (_name, value) => `Your code is ${value}`,
  (_name, value) => `code ${value} expired (login)`,
  (name, value) => `curl -H "${name}: ${value}" https://a.example`,
  (_name, value, user) => `curl -u ${user}:${value} https://a.example`,
  (_name, value, user) => `mysql -u ${user} -p${value} shop`,
  (name, value) => `app --${name} ${value} --port 80`,
  (_name, value) => `redis AUTH ${value}`,
  (_name, value, user) => `rabbitmqctl add_user ${user} ${value}`,
  (name, value) => `SET user:7:${name} ${value}`,
  (name, value) => `UPDATE users SET ${name} = '${value}' WHERE id = 7`,
  (name, value, user) => `INSERT INTO users (name, ${name}) VALUES ('${user}', '${value}')`,
  (name, value) => `UPDATE users SET ${name} = $1 WHERE id = $2 -- PARAMETERS: ["${value}",7]`,
  (_name, value, user) => `ALTER USER ${user} IDENTIFIED BY '${value}'`,
  (_name, value) => `SELECT crypt('${value}', gen_salt('bf'))`,
  (_name, value) => `Authorization: Bearer ${value}`,
  (_name, value, user) => `Authorization: Basic ${base64(`${user}:${value}`)}`,
  (_name, value) => `Cookie: theme=dark; sid=${value}\r\nHost: a.example`,
  (_name, value, user) => `db.auth('${user}', '${value}')`,
  (name, value) => `define('${name}', '${value}');`,
  (name, value) => `expected ${name} to equal "${value}"`,
  (name, value) => `kind: Secret\ndata:\n  ${name}: ${value}\n`,
  (_name, value, user) => `WIFI:T:WPA;S:${user};P:${value};;`,
];
const BETWEEN: readonly string[] = [' ', '\n', ', ', '; ', ' - ', '', ' and ', '\r\n', ' | '];
const OTHERS: readonly string[] = [
  'level=warn',
  'GET /orders 200',
  'see',
  '"',
  '{',
  '12:30',
  '‹redacted›',
  'id 7',
  ')',
];

export function composeName(random: Random): string {
  return random.pick(NAMES);
}

/** Composes a secret like those that people and programs choose. */
export function composeSecret(random: Random): string {
  return random.pick<() => string>([
    () => random.pick(WORDS),
    () => random.pick(WORDS),
    () => random.chars(ALNUM, 4 + random.int(28)),
    () => random.chars(BASE64URL, 24),
    () => random.chars(HEX, random.pick([24, 32, 40])),
    () => random.chars(DIGITS, 3 + random.int(8)),
    () => uuid(random),
    () => `sk_live_${random.chars(ALNUM, 24)}`,
    () => `eyJhbGciOiJIUzI1NiJ9.${base64('{"sub":"1"}')}.${random.chars(BASE64URL, 20)}`,
    () => random.pick(LINKS)(composeName(random), random.pick(WORDS), 'ann'),
  ])();
}

/** Composes a text that contains secrets in one or several forms: a log line, a statement, a URL, a header, a sentence. */
export function composeText(random: Random, note: (secret: string) => void): string {
  let text = '';
  for (let parts = 1 + random.int(3); parts > 0; parts -= 1) {
    const secret = composeSecret(random);
    note(secret);
    const part = random.chance(0.15)
      ? random.pick(OTHERS)
      : random.pick(FORMS)(composeName(random), secret, random.pick(['ann', 'ada', 'root', '7']));
    text += text === '' ? part : `${random.pick(BETWEEN)}${part}`;
  }
  if (random.chance(0.15)) return JSON.stringify({ [composeName(random)]: text });
  return random.chance(0.1) ? text.slice(0, random.int(text.length + 1)) : text;
}
