import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { Redactor } from './redactor.ts';

const redactor = new Redactor();

/** Secrets and ordinary values of one form. The secret is in guillemets, which are removed. */
const FORMS: readonly {
  readonly title: string;
  readonly secrets: readonly CapturedValue[];
  readonly ordinary: readonly CapturedValue[];
}[] = [
  {
    title: 'values of names that end in id',
    secrets: [
      { secretId: '«my-plain-secret»' },
      { secretId: '«507f1f77bcf86cd799439011»', clientSecretId: '«507f1f77bcf86cd799439012»' },
      { secretId: '«key_a1B2c3D4e5F6g7H8i9J0k1L2m»', vault_secret_id: '«token-a1B2c3D4»' },
      { secretId: '«JBSWY3DPEHPK3PXPJBSWY3DPEH»' },
      { secretId: '«api-9fK2mXq7LpZ3»', secret_id: '«12345678901234567890»' },
      { name: 'secretId', value: '«key_a1B2c3D4e5F6g7H8»' },
      { clientSecretId: '«8c2b1c68-fd97-4de5-b6f7-c8091a2b3c4d»' },
      { passwordId: '«sommer»' },
      { tokenId: '«V1StGXR8_Z5jdHi6B-myT»' },
      { apiKeyId: '«winter-2026»' },
      { credentialId: '«hunter_x»' },
      { tokenIds: [7, '«velvet»'] },
      { name: 'tokenId', value: '«velvet»' },
      'GET /a?tokenId=«velvet1»&page=2',
    ],
    ordinary: [
      { tokenId: 'tok_1Mx81', apiKeyId: 'key-7', credentialId: '550e8400-e29b-41d4-a716-446655440000' },
      { passwordId: 7, tokenIds: [1, 'tok_8'], secretId: 'prod/mail/smtp' },
      { secretId: 'arn:aws:secretsmanager:eu-west-1:1:secret:shop', keyId: 'alias/app' },
      { tokenId: { $oid: '5f3c2a1b9d8e7f6a5b4c3d2e' }, cardId: 'king', pinId: 'map' },
      { columns: ['id', 'token_id'], rows: [[1, 'abc']] },
      { sql: 'SELECT * FROM t WHERE api_key_id = $1', params: ['abc'] },
    ],
  },
  {
    title: 'words that end like a state',
    secrets: [
      'password: «elephant»',
      'db:\n  password: «butterfly»\n  port: 5',
      'Passwort: «Diamant»',
      'the password is «station»',
      'password «vegetable» is too short',
      "password '«viking»' not found",
    ],
    ordinary: [
      'password: required',
      'password: configuration',
      'password: insufficient',
      'token: processing',
      'password: automatically',
      'password: verification pending',
    ],
  },
  {
    title: 'arguments of the command AUTH in messages',
    secrets: ['redis AUTH «elephant»', 'tried AUTH worker «elephant»', 'redis-cli AUTH «Sommer»'],
    ordinary: [
      'redis AUTH failed',
      'redis AUTH error',
      'redis: AUTH timeout',
      'NOAUTH: AUTH required',
      'sent AUTH command',
      'SMTP: sent AUTH LOGIN',
      'sent AUTH CRAM-MD5',
    ],
  },
  {
    title: 'reasons, failures, routes and options beside a secret’s name',
    secrets: [
      'Login failed with code «482913» expired',
      'tried to log in with code «4829» expired',
      '/check-password/ann/«sommer»',
      "encrypt(data, '«velvet»')",
      "crypt('«Haselnuss91»', gen_salt('bf'))",
    ],
    ordinary: [
      'Das Passwort Länge ist zu kurz',
      'Passwort Wiederholung ist zu kurz',
      'Kennwort Stärke ist zu schwach',
      'Password repeat does not match',
      'Password given does not match',
      'login failed with code 4003 invalid',
      'sign-in process exited with code 137',
      'OTP check: status code 50403 invalid',
      '/check-password/api/strength',
      '/check-password/api/v2/policy',
      '/reset-password/email/resend',
      '/update-password/user/settings',
      "hmac.update(body, 'utf8')",
      "cipher.update(text, 'utf8', 'base64')",
      "jwt.decode(raw, 'complete')",
      "encrypt(columns, 'deterministic')",
    ],
  },
  {
    title: 'parameters that an ORM prints beside a statement',
    secrets: [
      'query: UPDATE "user" SET "password" = $1 WHERE "id" = $2 -- PARAMETERS: ["«Sommer»",7]',
      "Executing: UPDATE `users` SET `name`=?,`password`=? with parameters ['ann', '«Sommer»']",
      "INSERT INTO users (name, password) VALUES (?, ?)\n[generated in 0.0001s] ('ann', '«Sommer»')",
      '[SQL: UPDATE users SET pin = %s WHERE id = %s]\n[parameters: («4829», 7)]',
      '==>  Preparing: UPDATE user SET password = ? WHERE id = ?\n==> Parameters: «Sommer»(String), 7(Integer)',
      'insert into users (name, password) values (?, ?)\nbinding parameter [2] as [VARCHAR] - [«Sommer»]',
      "[Parameters=[@p0='«Sommer»' (Size = 4000), @p1='7']]\nUPDATE [Users] SET [Password] = @p0 WHERE [Id] = @p1",
      '{"log":"UPDATE t SET token = ? params=[\\"«velvet»\\",7]"}',
      { statement: 'SET user:7:password «Sommer» EX 60' },
      { statement: 'HSET user:7 name ann password «Sommer»' },
      { statement: 'SETEX reset_token:7 3600 «velvet»' },
    ],
    ordinary: [
      'query: UPDATE "user" SET "name" = $1 WHERE "id" = $2 -- PARAMETERS: ["Sommer",7]',
      "select a from t where b = ? with parameters ['Sommer']",
      'render(values) [1, 2] args: [a, b]',
      '==>  Preparing: UPDATE t SET city = ? WHERE id = ?\n==> Parameters: Berlin(String), 7(Integer)',
      { statement: 'SET user:7:name Sommer EX 60' },
      { statement: 'HSET user:7 name Sommer city Berlin' },
      'SET the password to something long',
    ],
  },
  {
    title: 'values that a test or a validator reports',
    secrets: [
      'Expected password to equal "«Sommer»"',
      "expected 'ann' to have password '«Sommer»' but got 'guest'",
      'Invalid password for ann: got "«Sommer»"',
      'Wrong password (ann, «Sommer75»)',
      'Cast failed for value "«Sommer3»" (type string) at path "password"',
      "Value '«Sommer»' for password does not match the pattern",
      '"password" length must be at least 12 characters long, received "«Sommer»"',
      'Argument `password`: Expected String, provided "«Sommer»".',
      'No access token with value «d07d13eb8646090ae9ddea0df5a5d0ef»',
      { errors: [{ propertyPath: 'plainPassword', invalidValue: '«Sommer»' }] },
      { attribute: 'password', before: 'a', after: '«Sommer»' },
      { option_name: 'mailserver_pass', option_value: '«Sommer»' },
    ],
    ordinary: [
      'secret "shop-db" not found',
      '"password" must be a string, received "undefined"',
      'Value "Sommer" for city is invalid',
      'Invalid token type: got "number"',
      { field: 'session', from: 'Berlin', to: 'Hamburg' },
      { name: 'card', from: 'todo', to: 'done' },
      { option_name: 'siteurl', option_value: 'Sommer' },
    ],
  },
  {
    title: 'members of printed structs and parameters',
    secrets: [
      'parameters={username:[ann], password:[«Sommer»]}',
      '&{Username:ann Password:«Sommer» Remember:true}',
      'login attempt: user=ann, pwd=<«Sommer»>, result=denied',
      'machine a.example\n  login ann\n  password «Sommer»\n',
      'enable password «Sommer»\n',
      { 'x-auth': '«velvet»' },
      { 'sec-websocket-protocol': 'graphql-ws, token.«5tqaDMfP62e4DAG2PV7bHhqB»' },
      ['login', '-u', 'ann', '-p', '«Sommer»', 'registry.example.com'],
    ],
    ordinary: [
      'password: [hidden]',
      'parameters={username:[ann], password:[FILTERED]}',
      '&{Code:5 Token:missing Host:db}',
      'password=<password>, token=<your-token>, secret=<VALUE>',
      'password required\n',
      { 'sec-websocket-protocol': 'v12.stomp, graphql-transport-ws' },
    ],
  },
  {
    title: 'sentences in several languages',
    secrets: [
      'Das Passwort für den Benutzer ann lautet «Sommer».',
      'Das Startpasswort lautet «Sommer7»',
      'Anmeldung fehlgeschlagen: Benutzer ann, Passwort «Sommer»',
      'Le mot de passe de ann a été changé en «Sommer»',
      'La contraseña del usuario ann es: «Leuchtturm»',
      'Introduce el código «990176» para continuar',
      'the code from the sms is «589228»',
      'hey, the wifi pw is «Sommer»',
      'can you log in with ann and «Sommer» as password?',
      'pass for staging: «Kastanie77»',
      'try «Sommer59», that is the admin password',
      'PGPASSWORD was "«Sommer»"',
      'password is incorrect: «Sommer»',
      'api_key is invalid: «kX81sPectrum9aLbQ2w4T»',
      'Mot de passe invalide "«Sommer»"',
      'Ihr Passwort wurde auf «Sommer» zurückgesetzt',
    ],
    ordinary: [
      'Benutzer ann, Passwort vergessen',
      'user ann, password reset',
      'Introduce el código 48213 para obtener el descuento',
      'boarding pass for LH1234: Gate22b',
      'log in with Username and Email as password',
      'Password for user ann: expired',
      'the power is 12 pw',
      'token is invalid: signature',
      'The secret value is rotated daily',
      'Token: <Identifier> at 4',
      'login -p 8080',
    ],
  },
];

/** Wraps each value, since `it.each` would pass the items of a list as arguments. */
const toRows = (values: readonly CapturedValue[]) => values.map((value): [CapturedValue] => [value]);

const withoutMarks = (value: CapturedValue): CapturedValue =>
  JSON.parse(JSON.stringify(value).replace(/[«»]/g, ''));

describe.each(FORMS)('$title', ({ secrets, ordinary }) => {
  it.each(toRows(secrets))('are hidden, and a second redaction changes nothing: %j', (value) => {
    const secret = /«([^»]*)»/.exec(JSON.stringify(value))?.[1] ?? '';
    expect(secret).not.toBe('');
    const shown = redactor.value(withoutMarks(value));
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(redactor.value(shown)).toEqual(shown);
  });

  it.each(toRows(ordinary))('have harmless neighbours, which stay readable: %j', (value) => {
    expect(JSON.stringify(redactor.value(value))).toBe(JSON.stringify(value));
  });
});
