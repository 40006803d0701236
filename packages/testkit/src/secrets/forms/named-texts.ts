import { base64, type Random } from '../random.ts';
import type { NamedForm } from './named-values.ts';
import { HOSTS, plainSecret, quotedSecret, USERS } from './secret-texts.ts';

/** Returns a function that generates a string with a name and a secret in the format of `write`. */
function written(
  write: (name: string, secret: string, random: Random) => string,
  chooseSecret: (random: Random) => string = plainSecret,
): NamedForm {
  return (random, name) => {
    const secret = chooseSecret(random);
    return { secret, value: write(name, secret, random) };
  };
}

/** Text formats in which a name can have any characters, such as spaces and letters of any alphabet. */
export const NAMED_TEXTS: Readonly<Record<string, NamedForm>> = {
  'JSON in a text': written((name, secret) => JSON.stringify({ user: 'ada', [name]: secret }), quotedSecret),
  'JSON in a text, indented': written(
    (name, secret) => JSON.stringify({ id: 7, [name]: secret }, null, 2),
    quotedSecret,
  ),
  'JSON in JSON in a text': written((name, secret) =>
    JSON.stringify({ body: JSON.stringify({ [name]: secret }) }),
  ),
  'JSON in a text, cut': written((name, secret) =>
    JSON.stringify({ user: 'ada', [name]: `${secret}${secret}` }).slice(0, -4),
  ),
  'JSON list of pairs in a text': written((name, secret) => JSON.stringify([[name, secret]])),
  'JSON name and value in a text': written((name, secret) => JSON.stringify({ name, value: secret })),
  'JSON in a log line': written(
    (name, secret) => `12:04:11 INFO request ${JSON.stringify({ [name]: secret })} took 12 ms`,
  ),
  'inspected object': written((name, secret) => `{ user: 'ada', '${name}': '${secret}', active: true }`),
  'inspected Map': written((name, secret) => `Map(2) { 'user' => 'ada', '${name}' => '${secret}' }`),
  'Ruby hash': written((name, secret) => `{:user=>"ada", "${name}"=>"${secret}"}`),
  'Python dict': written((name, secret) => `{'user': 'ada', '${name}': '${secret}', 'active': True}`),
  YAML: written((name, secret) => `user: ada\n${name}: ${secret}\nretries: 3\n`),
  'YAML, quoted': written((name, secret) => `server:\n  user: ada\n  ${name}: "${secret}"\n`, quotedSecret),
  TOML: written((name, secret) => `[server]\nuser = "ada"\n"${name}" = "${secret}"\n`, quotedSecret),
  'properties file': written((name, secret) => `server.user=ada\nserver.${name}=${secret}\n`),
  'encoded form body': written(
    (name, secret) => `user=ada&${encodeURIComponent(name)}=${secret}&remember=on`,
  ),
  'XML element': written(
    (name, secret) => `<login><user>ada</user><${xmlName(name)}>${secret}</${xmlName(name)}></login>`,
  ),
  'XML attribute': written((name, secret) => `<login user="ada" ${xmlName(name)}="${secret}"/>`),
  'HTML field': written((name, secret) => `<input type="text" name="${name}" value="${secret}">`),
  'multipart form': written((name, secret) =>
    ['--b0undary', `Content-Disposition: form-data; name="${name}"`, '', secret, '--b0undary--', ''].join(
      '\r\n',
    ),
  ),
};

const xmlName = (name: string) => name.replace(/[^\p{L}\p{M}\p{N}_.-]/gu, '_').replace(/^[^\p{L}_]/u, '_');

/** Formats whose names consist of letters, digits, `_`, `-` and `.`. */
export const PLAIN_NAMED_TEXTS: Readonly<Record<string, NamedForm>> = {
  'form body': written((name, secret) => `user=ada&${name}=${secret}&remember=on`),
  'query string of a URL': written(
    (name, secret, random) => `https://${random.pick(HOSTS)}/login?user=ada&${name}=${secret}`,
  ),
  'first of a query string': written((name, secret) => `/callback?${name}=${secret}&state=ok`),
  'fragment of a URL': written((name, secret) => `https://app.example.com/#/welcome?${name}=${secret}`),
  'twice encoded query string': written(
    (name, secret) => `/go?to=${encodeURIComponent(`/login?${name}=${secret}`)}`,
  ),
  'line of .env': written((name, secret) => `PORT=3001\n${name}=${secret}\nDEBUG=1`),
  'line of .env, quoted': written((name, secret) => `PORT=3001\n${name}="${secret}"\nDEBUG=1`, quotedSecret),
  'exported variable': written((name, secret) => `export ${name}=${secret} && npm start`),
  'command line, with =': written((name, secret) => `deploy --host db --${name}=${secret} --verbose`),
  'command line, with a space': written((name, secret) => `deploy --host db --${name} ${secret} --verbose`),
  'key=value log line': written(
    (name, secret, random) => `level=info user=${random.pick(USERS)} ${name}=${secret} ms=12`,
  ),
  'key="value" log line': written(
    (name, secret) => `level=info msg="signed in" ${name}="${secret}" ms=12`,
    quotedSecret,
  ),
  'header line': written(
    (name, secret) => `POST /login HTTP/1.1\r\nHost: example.com\r\n${name}: ${secret}\r\n\r\n`,
  ),
  'SQL SET': written(
    (name, secret) => `UPDATE accounts SET ${column(name)} = '${secret}' WHERE id = 7`,
    quotedSecret,
  ),
  'SQL WHERE': written(
    (name, secret) =>
      `SELECT id FROM accounts WHERE mail = 'ada@example.com' AND ${column(name)} = '${secret}'`,
  ),
  'SQL INSERT': written(
    (name, secret) => `INSERT INTO accounts (mail, ${column(name)}) VALUES ('ada@example.com', '${secret}')`,
  ),
  'SQL, quoted column': written((name, secret) => `UPDATE "accounts" SET "${column(name)}"='${secret}'`),
  'curl header': written((name, secret) => `curl -s -H '${name}: ${secret}' https://api.example.com/v1/me`),
  'curl data': written(
    (name, secret) => `curl -d 'user=ada&${name}=${secret}' https://api.example.com/login`,
  ),
  'JavaScript source': written((name, secret) => `const ${column(name)} = '${secret}';`, quotedSecret),
  'cookie header': written((name, secret) => `theme=dark; ${name}=${secret}; lang=en`),
  'GraphQL argument': written(
    (name, secret) => `mutation { signIn(user: "ada", ${column(name)}: "${secret}") { id } }`,
  ),
  'JSON in a Buffer': (random, name) => {
    const text = JSON.stringify({ user: 'ada', [name]: plainSecret(random) });
    const encoded = base64(text);
    return {
      secret: encoded.slice(-24),
      value: { $type: 'Buffer', size: Buffer.byteLength(text), base64: encoded },
    };
  },
};

const column = (name: string) => name.replace(/[^\w]/g, '_');
