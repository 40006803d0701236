import { describe, expect, it } from 'vitest';
import { redactMarked, type SecretClass, toRows } from './secret-classes.fixture.ts';

/** Secrets in commands, statements and sentences that do not name them, and similar texts without a secret. */
const CLASSES: readonly SecretClass[] = [
  {
    title: 'logins with a user and a word',
    secrets: [
      'login with ada / «velvet»',
      'auth: login with ada/«Haselmaus»',
      'Login as admin / «velvet».',
      "login using 'ada' / '«velvet»'",
      { message: 'retry: login with ada / «velvet»', code: 401 },
      'use my login (ada@a.example / «Haselmaus8») until friday',
    ],
    ordinary: [
      'login with google / github',
      'login with ada / bob failed',
      'login with 2fa / app',
      'login with username / password',
      'login as guest / admin mode is disabled',
      'login with Chrome / Firefox',
      'use my login (docs / intro) until friday',
    ],
  },
  {
    title: 'commands that store a secret in a service',
    secrets: [
      'gh secret set NAME --body «velvet»',
      'gh secret set NAME -b "«velvet»" --repo shop',
      'fly secrets set SENTRY=«velvet»',
      'supabase secrets set A=b MAILER=«velvet»',
      "eas secret:create --name MAILER --value '«velvet»'",
      'vercel env add API_SECRET production <<< "«velvet»"',
      'docker login --password-stdin registry.example <<< «Haselmaus»',
      'gcloud secrets versions add mailer --data="«velvet»"',
    ],
    ordinary: [
      'gh secret list --repo shop',
      'gh secret set NAME --body-file secret.txt',
      'gh pr create --body velvet',
      'kubectl get secrets -n prod --value',
      'the secret set of rules is short',
      'cat <<< velvet',
      'tests with secrets set up by ann',
    ],
  },
  {
    title: 'commands that take a password as a further argument',
    secrets: [
      'net use \\\\host\\share /user:ada «velvet»',
      'net use Z: \\\\host\\share «velvet» /user:CORP\\ada',
      'net use * \\\\host\\share "«velvet»"',
      'net user ada «velvet» /add',
      'useradd -m -p «Haselmaus9» ada',
      'echo "ada:«velvet»" | sudo chpasswd',
      'openssl enc -aes-256-cbc -in a -out b -k «velvet»',
      'openssl pkcs12 -in a.p12 -passin pass:«velvet» -nodes',
      '127.0.0.1:6379> CONFIG SET requirepass «velvet»',
      '1700000000.123456 [0 10.0.0.1:5000] "SET" "user:7:token" "«velvet»"',
    ],
    ordinary: [
      'net use of memory: 55 MB',
      'net use \\\\host\\share /delete',
      'net user ada /active:yes',
      'useradd -m -s /bin/bash ada',
      'echo "ada:7" | sort',
      'openssl x509 -in cert.pem -noout -text',
      'openssl pkcs12 -in a.p12 -passin env:NAME -nodes',
      'CONFIG SET maxmemory 100mb',
      '1700000000.123456 [0 10.0.0.1:5000] "SET" "user:7:theme" "dark"',
    ],
  },
  {
    title: 'arguments of procedures of SQL Server',
    secrets: [
      "EXEC sp_addlogin 'ada', '«velvet»'",
      "exec master..sp_addlogin N'ada', N'«velvet»', 'shop'",
      "EXEC sp_password NULL, '«velvet»', 'ada'",
      "EXEC sp_password '«velvet»', 'x'",
      "EXEC sp_password NULL, ' password='«velvet99»",
      "EXEC sp_addlogin 'ada', ' password='«velvet99»",
      "EXEC sp_setapprole 'reports', '«velvet»'",
      "EXEC sp_addlinkedsrvlogin 'srv', 'false', NULL, 'ada', '«velvet»'",
    ],
    ordinary: [
      "EXEC sp_rename 'users', 'members'",
      "EXEC sp_addrole 'reports', 'ada'",
      "EXEC sp_grantlogin 'ada'",
      "EXEC sp_helplogins 'ada', 'x'",
    ],
  },
  {
    title: 'parameters that follow a statement without a name',
    secrets: [
      'Executed (default): UPDATE `users` SET `reset_token`=? WHERE `id`=? -- "«velvet»", 7',
      'Executing (default): UPDATE "users" SET "password"=$1 WHERE "id" = $2; "«velvet»", 7',
      'Executing (default): INSERT INTO "users" ("email","password") VALUES ($1,$2); ["a@b.c","«velvet»"]',
      "update users set password = ? where id = ? -- ['«velvet»', 7]",
      { message: 'UPDATE users SET name = $1, token = $2; "ada", "«velvet»"' },
      '{"session":"x","b":["UPDATE users SET name = $1, token = $2; \\"ada\\", \\"t\\"","«velvet»"]}',
      'update users set pin = ? where id = ? -- «4471», 7',
    ],
    ordinary: [
      'Executing (default): UPDATE "users" SET "name"=$1 WHERE "id" = $2; "ada", 7',
      'update users set password = ? where id = ?; see the note; next',
      'select 1; 2, 3',
      'UPDATE users SET name = $1, password = $2; "ada", null',
      'SELECT * FROM tokens WHERE type = $1 -- "refresh"',
      'DELETE FROM tokens WHERE token = ? -- 2\n',
    ],
  },
  {
    title: 'commands of Redis as lists',
    secrets: [
      ['SET', 'user:7:token', '«velvet»'],
      ['ACL', 'SETUSER', 'ada', 'on', '>«velvet»', '~*'],
      ['HSET', 'user:7', 'name', 'ada', 'password', '«velvet»'],
      ['MSET', 'a:theme', 'dark', 'user:7:token', '«velvet»'],
      ['MSET', 'session:7:password', '«velvet»'],
      ['HSET', 'user:1', 'session', '«Haselmaus99!»'],
      ['CONFIG', 'SET', 'requirepass', '«velvet»'],
      { command: ['set', 'otp:ada', '«velvet»'] },
    ],
    ordinary: [
      ['SET', 'user:7:theme', 'dark'],
      ['ACL', 'SETUSER', 'ada', 'on', 'nopass', '~*', '+@read'],
      ['HSET', 'cart:9', 'qty', '3'],
      ['HSET', 'user:1', 'session', 'web'],
      ['HSET', 'user:1', 'sessions', 'web', 'theme', 'dark'],
      ['GET', 'user:7:token'],
      ['CONFIG', 'SET', 'maxmemory', '100mb'],
      ['>', 'quote', 'setuser'],
    ],
  },
  {
    title: 'rows below a heading that is a sentence with a secret',
    secrets: [
      [
        ['user', 'pass phrase is hunter2'],
        ['ann', '«velvet»'],
      ],
      [
        ['id', 'name', 'the password is hunter2'],
        [1, 'ann', '«velvet»'],
      ],
    ],
    ordinary: [
      [
        ['note', 'the door is open'],
        ['city', 'Berlin'],
      ],
      [
        ['user', 'note'],
        ['ann', 'velvet'],
      ],
    ],
  },
  {
    title: 'values behind their names in mails, chats and logs',
    secrets: [
      "password's «Zugvogel99» btw",
      "my pin's «4471», ok?",
      'votre mot de passe provisoire est le suivant : «Pivert-2024»',
      '<td>Temporary password</td><td><b>«velvet»</b></td>',
      'Votre code de connexion : «771 204»',
      'one-time passcode: «338 120».',
    ],
    ordinary: [
      "the password's length is short",
      "the token's expiry changed",
      '<td>Password</td><td><b>required</b></td>',
      'code: 200 404',
      'Votre code postal : 69 001',
      '[smtp] <- 250 2.1.0 Sender OK\n[smtp] -> RCPT TO:<a@b.c>',
      "the password's 3-month limit",
    ],
  },
  {
    title: 'secrets behind a name that another rule could take for the secret',
    secrets: [
      "'password' '«velvet9»'",
      "redis-cli CONFIG SET 'requirepass' '«velvet99»'",
      "spawn 'mysql' '--password' '«velvet99»'",
      "'пароль' '«velvet99»'",
      "'otp' '«338120»'",
      '334 UGFzc3dvcmQ6\n«S2FzdGFuaWU5MQ==», next',
      '334 UGFzc3dvcmQ6\n«S2FzdGFuaWU5MQ==»</pre>',
      '334 UGFzc3dvcmQ6\nC: «S2FzdGFuaWU5MQ==»;',
      '334 UGFzc3dvcmQ6\n«S2FzdGFuaWU5MQ==» > done',
      'login with ada / password: "«velvet99»"',
      'login with ada / password="«velvet99»"',
      "login with ada / token: '«velvet99»'",
      'net use \\\\host\\share\npassword: «velvet99»',
      'net use Z: \\\\host\\share; password: «velvet99»',
      'net use \\\\host\\share\nDB_PASSWORD="«velvet99»"',
      "tee secret.env <<< password='«velvet99»'",
      'tee secret.env <<< TOKEN="«abc123»"',
      "my password's secret='«velvet99»'",
      "the token's --password «velvet99»",
      "openssl enc -k password='«velvet99»'",
      'useradd -p password: «velvet99»',
      'openssl enc -k password=\\"«velvet99»\\"',
      'login with ada / password=\\"«velvet99»\\"',
      "openssl rsa -passin pass:password='«velvet99»'",
      "<td>Token</td><td><code>password='«velvet99»'</code></td>",
      "gh secret set PASSWORD --body=password:'«velvet99»'",
    ],
    ordinary: [
      'token count <<< 5 items',
      'password <<<<<<< HEAD',
      'net use \\\\host\\share failed with error 5',
      'log: secret update name=app-config namespace=default status=200',
      'login with card / invoice',
    ],
  },
  {
    title: 'secrets beside words of a command',
    secrets: [['password=«hunter2»', '-u <<< class b']],
    ordinary: [['use class b', '-u <<< class b']],
  },
];

describe.each(CLASSES)('$title', ({ secrets, ordinary }) => {
  it.each(toRows(secrets))('are hidden, and a second redaction changes nothing: %j', (value) => {
    const { shown, again, parts } = redactMarked(value);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(JSON.stringify(shown)).not.toContain(part);
    expect(again).toBe(shown);
  });

  it.each(toRows(ordinary))('have harmless neighbours, which stay readable: %j', (value) => {
    expect(redactMarked(value).shown).toEqual(value);
  });
});
