import { ALNUM, base64, HEX, type Random } from '../random.ts';
import { codeSecret, HOSTS, plainSecret, quotedSecret, USERS } from './secret-texts.ts';

export interface SecretText {
  readonly text: string;
  readonly secret: string;
}

export type TextForm = (random: Random) => SecretText;

/** Returns a function that generates a sentence with a secret. */
export function saying(
  say: (secret: string, random: Random) => string,
  chooseSecret: (random: Random) => string = plainSecret,
): TextForm {
  return (random) => {
    const secret = chooseSecret(random);
    return { secret, text: say(secret, random) };
  };
}

const user = (random: Random) => random.pick(USERS);
const host = (random: Random) => random.pick(HOSTS);
const alnum = (length: number) => (random: Random) => random.chars(ALNUM, length);
const hex = (length: number) => (random: Random) => random.chars(HEX, length);

/** Texts written by programs: commands, URLs, headers, error messages. */
export const SENTENCE_FORMS: Readonly<Record<string, TextForm>> = {
  'password=X in a sentence': saying(
    (secret, random) => `login of ${user(random)} with password=${secret} failed twice`,
  ),
  'password: X in a sentence': saying(
    (secret, random) => `signing in as ${user(random)}, password: ${secret} (attempt 3)`,
  ),
  'Password: X at the start': saying((secret) => `Password: ${secret}`),
  'pwd=X in brackets': saying((secret) => `connect failed (host=db, uid=sa, pwd=${secret})`),
  'inspected object': saying(
    (secret) => `Invalid credentials { user: 'ada', password: '${secret}' }`,
    quotedSecret,
  ),
  'password "X"': saying((secret) => `the password "${secret}" was refused`, quotedSecret),
  "password 'X' is too short": saying((secret) => `password '${secret}' is in a list of leaked ones`),
  'quoted JSON in a message': saying(
    (secret) => `Unexpected end of input in {\\"user\\":\\"ada\\",\\"password\\":\\"${secret}\\"`,
  ),
  backticks: saying((secret) => `value \`${secret}\` of \`password\` is not allowed, password=\`${secret}\``),
  'SET password': saying((secret) => `near "SET password = '${secret}'": syntax error`, quotedSecret),
  'ALTER USER': saying((secret, random) => `ALTER USER ${user(random)} WITH PASSWORD '${secret}'`),
  'IDENTIFIED BY': saying((secret, random) => `CREATE USER '${user(random)}'@'%' IDENTIFIED BY '${secret}'`),
  'curl -u': saying(
    (secret, random) => `curl -s -u ${user(random)}:${secret} https://${host(random)}/v1/orders`,
  ),
  'curl --user': saying(
    (secret, random) => `Command failed: curl --user "${user(random)}:${secret}" https://${host(random)}/`,
  ),
  'curl -H Authorization': saying(
    (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.example.com/`,
  ),
  '--password=X': saying((secret) => `mysqldump -h db --user=root --password=${secret} shop`),
  '--password X': saying((secret) => `mongodump --username root --password ${secret} --db shop`),
  '--token=X': saying((secret) => `Command failed: deploy --token=${secret} --app shop`),
  '-p X of docker': saying((secret) => `docker login -u ada -p ${secret} registry.example.com`),
  'mysql -pX': saying((secret) => `mysql -h db -u root -p${secret} shop`),
  'sshpass -p': saying((secret) => `sshpass -p ${secret} ssh root@10.0.3.7`),
  'PGPASSWORD=X': saying((secret) => `PGPASSWORD=${secret} psql -h db -U shop`),
  'X-Amz-Signature': saying(
    (secret) =>
      `GET https://bucket.s3.amazonaws.com/a.png?X-Amz-Date=20260101T000000Z&X-Amz-Signature=${secret}&X-Amz-Expires=900`,
    hex(64),
  ),
  'sig= of a signed URL': saying(
    (secret) => `https://shop.blob.core.windows.net/files/a.pdf?sv=2024-11-04&sp=r&sig=${secret}%3D`,
    alnum(43),
  ),
  'Signature= of a signed URL': saying(
    (secret) =>
      `https://cdn.example.com/a.mp4?Expires=1767225600&Signature=${secret}&Key-Pair-Id=K2JCJMDEHXQW5F`,
    alnum(80),
  ),
  'token= of a link': saying(
    (secret) => `mail sent: https://shop.example.com/reset-password?token=${secret}`,
  ),
  'access_token= of a fragment': saying(
    (secret) => `redirected to https://app.example.com/cb#access_token=${secret}&expires_in=3600`,
  ),
  'api_key= of a URL': saying(
    (secret) => `Request failed: GET https://api.example.com/v1/weather?q=Oslo&api_key=${secret}`,
  ),
  'code= of an OAuth callback': saying(
    (secret) => `/oauth/callback?code=${secret}&state=af0ifjsldkj`,
    alnum(32),
  ),
  'Authorization: Bearer': saying(
    (secret) => `sent Authorization: Bearer ${secret} to https://api.example.com`,
    alnum(40),
  ),
  'Bearer X alone': saying((secret) => `Bearer ${secret}`, alnum(40)),
  'bearer in lower case': saying((secret) => `authorization header was bearer ${secret}`, alnum(40)),
  'Authorization: Basic': saying(
    (secret) => `authorization: Basic ${secret}`,
    (random) => base64(`${user(random)}:${plainSecret(random)}`),
  ),
  'Authorization: Token': saying((secret) => `Authorization: Token ${secret}`, hex(40)),
  'Authorization: ApiKey': saying((secret) => `Authorization: ApiKey ${secret}`, alnum(40)),
  'Proxy-Authorization': saying(
    (secret) => `CONNECT api:443\r\nProxy-Authorization: Basic ${secret}`,
    (random) => base64(`proxy:${plainSecret(random)}`),
  ),
  'AWS4-HMAC-SHA256': saying(
    (secret) =>
      `AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=${secret}`,
    hex(64),
  ),
  'OAuth 1 header': saying(
    (secret) => `OAuth oauth_consumer_key="shop", oauth_nonce="x1", oauth_signature="${secret}%3D"`,
    alnum(27),
  ),
  'Cookie header': saying((secret) => `Cookie: theme=dark; connect.sid=s%3A${secret}.x`, alnum(32)),
  'Set-Cookie header': saying(
    (secret) => `Set-Cookie: session=${secret}; Path=/; HttpOnly; Secure`,
    alnum(40),
  ),
  'x-api-key header': saying((secret) => `headers: x-api-key: ${secret}, accept: */*`),
  'user and password of a URL': saying(
    (secret, random) => `cannot reach https://${user(random)}:${secret}@${host(random)}/feed.xml`,
  ),
  'postgres URL': saying(
    (secret, random) =>
      `connect ECONNREFUSED postgres://${user(random)}:${secret}@${host(random)}:5432/shop?sslmode=require`,
  ),
  'mongodb+srv URL': saying(
    (secret, random) => `mongodb+srv://${user(random)}:${secret}@cluster0.ab1cd.mongodb.net/shop`,
  ),
  'redis URL without a user': saying((secret, random) => `redis://:${secret}@${host(random)}:6379/0`),
  'amqps URL': saying((secret) => `Socket closed: amqps://shop:${secret}@rabbit.internal/vhost`),
  'smtp URL': saying((secret) => `smtps://mailer%40example.com:${secret}@smtp.example.com:465`),
  'git URL with a token alone': saying(
    (secret) => `fatal: could not read from https://${secret}@github.com/shop/api.git`,
    alnum(40),
  ),
  'SQL Server string': saying(
    (secret) => `Server=tcp:db,1433;Database=shop;User Id=sa;Password=${secret};Encrypt=true`,
  ),
  'AccountKey= string': saying(
    (secret) =>
      `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret}==;EndpointSuffix=core.windows.net`,
    alnum(86),
  ),
  'SharedAccessKey= string': saying(
    (secret) =>
      `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}=`,
    alnum(43),
  ),
  'ODBC braces': saying((secret) => `Driver={ODBC};Uid=sa;Pwd={${secret}};`),
  'LDAP bind': saying((secret) => `ldapsearch -D cn=admin,dc=example -w ${secret} -b dc=example`),
  'PowerShell variable': saying((secret) => `$env:API_TOKEN="${secret}"; ./deploy.ps1`),
  'assignment in source': saying((secret) => `const apiKey = "${secret}" // for the mailer`),
  'property in source': saying((secret) => `  clientSecret: process.env.SECRET ?? '${secret}',`),
  'npmrc line': saying((secret) => `//npm.example.com/:_authToken=${secret}`),
  'netrc line': saying((secret) => `machine api.example.com login ada password ${secret}`),
  'pgpass line in a message': saying(
    (secret) => `pgpass entry db:5432:shop:ada:${secret} has wrong permissions, password=${secret}`,
  ),
  'Incorrect API key provided': saying(
    (secret) => `401 Incorrect API key provided: ${secret}. You can find your key in the settings.`,
    alnum(40),
  ),
  'invalid token "X"': saying((secret) => `invalid token "${secret}"`, alnum(32)),
  'jwt malformed': saying((secret) => `could not verify token ${secret}: jwt malformed`, alnum(48)),
  'one-time code': saying(
    (secret) => `Your verification code is ${secret}. It expires in 10 minutes.`,
    codeSecret,
  ),
  'OTP: digits': saying((secret) => `sms to +47 900 00 000: OTP: ${secret}`, codeSecret),
};
