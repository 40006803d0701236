import { argument, type Form, header, json, multipart, plain, query, statement } from './case.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Private keys, and other keys that a service itself owns. */
export const privateKeyForms: readonly Form[] = [
  [
    'RSA key',
    (m) => m.base64(64),
    (s, m) =>
      argument(
        `-----BEGIN RSA PRIVATE KEY-----\n${m.pemBody(2)}\n${s}\n${m.pemBody(2)}\n-----END RSA PRIVATE KEY-----`,
      ),
  ],
  [
    'EC key in one line',
    (m) => m.base64(64),
    (s, m) =>
      plain(
        `TLS_KEY="-----BEGIN EC PRIVATE KEY-----\\n${s}\\n${m.base64(40)}\\n-----END EC PRIVATE KEY-----"`,
      ),
  ],
  [
    'OpenSSH key upload',
    (m) => m.base64(70),
    (s, m) =>
      multipart(
        'file',
        `-----BEGIN OPENSSH PRIVATE KEY-----\n${m.base64(70)}\n${s}\n${m.base64(20)}\n-----END OPENSSH PRIVATE KEY-----`,
      ),
  ],
  [
    'PGP key',
    (m) => m.base64(64),
    (s, m) =>
      plain(
        `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${m.base64(64)}\n${s}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
      ),
  ],
  [
    'key cut off',
    (m) => m.base64(64),
    (s, m) => argument(`-----BEGIN PRIVATE KEY-----\n${m.base64(64)}\n${s}`),
  ],
  [
    'PuTTY key',
    (m) => m.base64(64),
    (s, m) =>
      plain(
        `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n${s}\n${m.base64(64)}\nPrivate-MAC: ${m.hex(64)}\n`,
      ),
  ],
  [
    'key as Buffer',
    (m) => m.base64(64),
    (s, m) =>
      argument(
        Buffer.from(`-----BEGIN PRIVATE KEY-----\n${m.base64(64)}\n${s}\n-----END PRIVATE KEY-----\n`),
      ),
  ],
  [
    'JWK RSA',
    (m) => m.base64url(86),
    (s, m) => argument({ kty: 'RSA', kid: 'a1', e: 'AQAB', n: m.base64url(86), d: s }),
  ],
  [
    'JWK EC text',
    (m) => m.base64url(43),
    (s, m) =>
      argument(`{"kty":"EC","crv":"P-256","x":"${m.base64url(43)}","y":"${m.base64url(43)}","d":"${s}"}`),
  ],
  ['JWK symmetric', (m) => m.base64url(43), (s) => json({ keys: [{ kty: 'oct', alg: 'HS256', k: s }] })],
  [
    'age key',
    (m) => `AGE-SECRET-KEY-1${m.text('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
    (s) => argument({ recipient: s }),
  ],
  [
    'WireGuard',
    (m) => `${m.base64(43)}=`,
    (s) => plain(`[Interface]\nPrivateKey = ${s}\nAddress = 10.0.0.2/32\n`),
  ],
  ['encryption key', (m) => m.hex(64), (s) => argument({ algorithm: 'aes-256-gcm', encryptionKey: s })],
  [
    'key and iv',
    (m) => `${m.base64(43)}=`,
    (s, m) => argument({ cipher: 'aes-256-cbc', key: s, iv: m.hex(32) }),
  ],
  [
    'base64 of a JSON login',
    (m) => base64(`{"user":"eva","password":"${m.alnum(16)}"}`),
    (s) => argument({ blob: s }),
  ],
  ['Buffer of a form', (m) => m.alnum(20), (s) => argument(Buffer.from(`user=eva&password=${s}`))],
  [
    'bytes of JSON',
    (m) => m.alnum(20),
    (s) => argument(new Uint8Array(Buffer.from(JSON.stringify({ clientSecret: s })))),
  ],
  ['wifi QR', (m) => m.password(), (s) => argument(`WIFI:T:WPA;S:Acme Guests;P:${s};;`)],
  ['wpa_supplicant', (m) => m.alnum(16), (s) => plain(`network={\n  ssid="acme"\n  psk="${s}"\n}`)],
  ['SNMP community', (m) => m.alnum(12), (s) => argument({ host: '10.0.0.1', version: '2c', community: s })],
  [
    'license key',
    (m) => [5, 5, 5, 5, 5].map((n) => m.text('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', n)).join('-'),
    (s) => argument({ product: 'cad', licenseKey: s }),
  ],
  ['pepper', (m) => m.hex(32), (s) => argument({ rounds: 12, pepper: s })],
  ['webhook secret query', (m) => m.alnum(24), (s) => query('hook_secret', s)],
  ['shared secret header', (m) => m.alnum(24), (s) => header('x-shared-secret', s)],
  [
    'server-side function SQL',
    (m) => m.alnum(20),
    (s) => statement(`SELECT dblink_connect('c1', 'host=db user=app password=${s}')`),
  ],
];
