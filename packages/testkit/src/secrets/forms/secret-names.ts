import type { Random } from '../random.ts';

const listed = (text: string) => text.trim().split(/,\s*/);

/** Names of secrets in programs, as separate words. A spelling joins the words. */
const ENGLISH = listed(`
  password, passwd, pwd, pass, db pass, db password, database password, smtp pass, smtp password,
  mail pass, redis password, ftp pass, user pass, user password, admin password, root password,
  new password, old password, current password, confirm password, password confirmation,
  password repeat, password hash, hashed password, encrypted password, keystore password,
  master password, wifi password, pass phrase, passphrase, passcode, pass code, pin code, card pin,
  secret, secrets, client secret, app secret, consumer secret, shared secret, webhook secret,
  jwt secret, session secret, cookie secret, totp secret, oauth client secret, secret key, secret keys,
  secret access key, aws secret access key, private key, ssh private key, signing key, signing keys,
  encryption key, encryption keys, master key, account key, storage account key, access key,
  service role key, license key, hmac key, auth key, auth keys, api key, api keys, openai api key,
  stripe api key, google maps api key, api token, token, tokens, auth token, access token,
  access tokens, refresh token, id token, bearer token, session token, csrf token, xsrf token,
  reset token, password reset token, invite token, invitation token, verification token,
  confirmation token, remember token, remember me token, personal access token, github token,
  npm token, slack bot token, webhook token, deploy token, device token secret, jwt, authorization,
  proxy authorization, credentials, creds, signature, x amz signature, x hub signature,
  oauth signature, verification code, verify code, otp, otp code, one time password, one time code,
  mfa code, two factor code, sms code, security code, backup code, backup codes, recovery code,
  recovery codes, authorization code, login code, cvv, cvc, card cvc, card number, credit card number,
  credit card, ssn, social security number, mnemonic, seed phrase, recovery phrase, session cookie,
  auth cookie, connection string, db connection string
`);

/** Names of secrets in other languages, as teams use them for fields. */
const FOREIGN = listed(`
  passwort, neues passwort, passwort wiederholen, benutzer passwort, kennwort, geheimnis,
  zugangs token, contraseña, contrasena, nueva contraseña, contraseña actual, clave secreta,
  mot de passe, nouveau mot de passe, mdp, jeton acces, senha, nova senha, senha atual, palavra passe,
  hasło, haslo, nowe hasło, heslo, lösenord, losenord, adgangskode, passord, salasana, wachtwoord,
  nieuw wachtwoord, parola, şifre, sifre, yeni şifre, jelszó, jelszo, lozinka, пароль, новый пароль,
  токен, κωδικός πρόσβασης, 密码, 新密码, 密碼, 口令, 访问令牌, パスワード, 新しいパスワード, 暗証番号, アクセストークン, 비밀번호, 새 비밀번호,
  mật khẩu, kata sandi, รหัสผ่าน, كلمة المرور, סיסמה, पासवर्ड
`);

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
const camel = (words: readonly string[]) =>
  words.map((word, index) => (index === 0 ? word : capital(word))).join('');

const SPELLINGS: readonly ((words: readonly string[]) => string)[] = [
  camel,
  camel,
  camel,
  (words) => words.map(capital).join(''),
  (words) => words.join('_'),
  (words) => words.join('_'),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('-'),
  (words) => words.map(capital).join('-'),
  (words) => words.join('.'),
  (words) => words.join(''),
  (words) => words.join('').toUpperCase(),
  (words) => `_${camel(words)}`,
  (words) => `X-${words.map(capital).join('-')}`,
  (words) => `user[${words.join('_')}]`,
  (words) => `${camel(words)}2`,
  (words) => words.join(' '),
];

/** Words that precede the name in programs with several secrets of the same kind. */
const PREFIXES = ['my', 'app', 'prod', 'staging', 'mongo', 'pg', 'payment', 'legacy', 'tenant'];

const PLAIN = /^[\w.-]+$/;

/** Returns a name for a secret, in one of the spellings that programs use. */
export function spellName(random: Random): string {
  const list = random.chance(0.15) ? FOREIGN : ENGLISH;
  const words = random.pick(list).split(' ');
  const prefixed = list === ENGLISH && random.chance(0.15) ? [random.pick(PREFIXES), ...words] : words;
  return random.pick(SPELLINGS)(prefixed);
}

/**
 * Returns a name that is valid in a line of `.env`, a query string, a command or a column: ASCII without
 * spaces and brackets.
 */
export function spellPlainName(random: Random): string {
  const name = spellName(random);
  return PLAIN.test(name) ? name : spellPlainName(random);
}
