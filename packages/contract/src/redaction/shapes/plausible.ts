import { foldAccents } from '../names/split-words.ts';
import type { NameVerdict } from '../names/verdicts.ts';
import { isLetterOrDigit, REDACTED_TEXT } from '../texts/characters.ts';
import { hasRandomLetters } from './random-letters.ts';

/** Distinguishes values that look like secrets from placeholders and ordinary words. These functions are meant for short strings. */

/** Maximum length of a string whose content is examined. For longer strings, {@link looksSecret} is true. */
export const MAX_JUDGED = 128;

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Values that code and messages use in place of a secret. */
const EMPTY_VALUES = set(`
  null undefined true false none nil nan void empty unset redacted hidden masked removed filtered omitted secret-redacted n/a na todo tbd changeme? yes no on off
`);

/** Function words. Nearly every sentence has one; passphrases have none. */
const SMALL_WORDS = set(`
  a an the this that these those any some all every each both either neither no not never always must may might should shall can could will would be been being is are was were
  do does did done has have had in on at by to from for of with without within into onto over under above below between before after since until as if when while where
  which who whose why how than then so too very more most less least only also just still already yet again now soon here there it its they them we you your my our his her their
  and or but nor about against out up down off
  nao em pode deve debe doit muss moet der die das ein eine ist sind war nicht und oder zu im am le la les un une est sont pas et ou el los las es son no y o il lo gli una non e o de het een niet en of nie jest i lub
  не это и или на в
`);

/** Words that describe a secret in a sentence: `password: required`, `the token is expired`. */
const STATES = set(`
  string number boolean bool object array buffer function symbol any unknown never text type int integer float date uuid char varchar bigint json value field input parameter
  required optional valid invalid missing present absent wrong right correct incorrect good bad ok okay fine new old same different identical equal unique
  expired active inactive enabled disabled revoked rotated leaked exposed compromised stolen lost forgotten blocked locked unlocked pending ready set reset changed updated
  created deleted stored saved sent received accepted rejected denied refused granted issued signed verified unverified confirmed hashed encrypted decrypted encoded
  decoded plain plaintext visible hidden secret private public sensitive protected shared temporary permanent default empty blank null undefined weak strong short long
  small large safe unsafe secure insecure important needed necessary available unavailable allowed forbidden supported unsupported deprecated unchanged unknown
  authentication authorization rotation expiry expiration validation verification failed failure error mismatch rejected
  configuration insufficient consistent inconsistent redundant relevant sufficient permanently nonexistent mandatory obligatory compulsory unnecessary successful unsuccessful
  daily weekly monthly hourly nightly regularly properly safely securely useless passwordless readable unreadable accessible inaccessible unusable recoverable compatible incompatible invisible requirement requirements management agreement
  uniqueness previous suspicious current recent information connection generation creation deletion rotation
  ok yes please see error failed success successful passed checked ignored skipped used unused reused due tomorrow today yesterday
  bearer basic digest negotiate cookie jwt oauth oauth2 saml opaque hs256 rs256 es256 sha256 sha512 bcrypt scrypt argon2 argon2id pbkdf2 md5
  true false same-origin include omit forgot forgotten vergessen olvidada olvidado olvidaste esqueceu esqueceste dimenticata vergeten zapomniane unuttum
  falsch richtig ungueltig ungultig gultig gueltig abgelaufen fehlt erforderlich leer nicht zu kurz lang sicher geheim neu alt geaendert geandert gesetzt
  incorrecta incorrecto invalida invalido caducado caducada requerida requerido obligatoria obligatorio vacia vacio correcta correcto demasiado
  incorrect invalide expire expiree requis obligatoire vide trop valide oublie oubliee votre manquant perdu
  errata sbagliata scaduta scaduto obbligatoria richiesta valida non troppo corta
  verkeerd verlopen verplicht ongeldig leeg niet te kort onjuist
  incorreta expirado expirada obrigatoria invalidas nao muito curta
  bledne nieprawidlowe wymagane wygaslo puste za krotkie nie
  yanlis gecersiz gerekli bos cok kisa
  неверный неверен неправильный истек обязателен пустой слишком короткий не нужен недействителен изменен невірний обовязковий порожній недійсний
`);

/**
 * Endings of words that describe a state, such as `expired` and `successfully`. They are chosen so that they do not match nouns that people
 * use as passwords: `elephant`, `butterfly`, `station`, `vegetable`.
 */
const STATE_ENDS =
  /(?:[^e]ed|[^k]ing|(?:[aeiou]t|ct|al|ul|ous|ent)ly|(?:(?:if|ent|l)ic|iz|is|gur|yp|alid|irm)ation|cryption)$/;
const NO_STATES = set(
  'hundred sacred naked kindred hatred pudding spring string darling wedding stocking starling duckling gosling evening morning lightning charming amazing',
);

/** A name or sign that is a placeholder for a value: `$1`, `?`, `%s`, `{token}`, `<password>`, `***`, `...`. */
const PLACEHOLDER =
  /^(?:[*•.·_?#-]+|x{3,}|\$\d+|[:@]\w+\??|%[\w(]+\)?[sdjoif]?|\$?\{+[^{}]*\}+|\$[A-Za-z_]\w*|\$\(.*\)|<[\w .:/-]*>|\[[A-Za-z ]*\]|\(?\w*redacted\w*\)?|‹.*)$/i;

/** The beginning of a reference to a secret that is kept elsewhere: `${{ secrets.X }}`, `$(cat x)`, `!Ref X`, `vault:kv/x`. */
const REFERENCE =
  /^(?:\$\{\{|\{\{|\$\((?:[a-z_./-]+$|.*\))|<%|#\{(?:[^{}]*\}|[A-Za-z_]\w*[.[(])|!(?:Ref|Sub|GetAtt|ImportValue|Join|vault|env)\b|(?:vault|op|ssm|awssm|gcpsm|akv|keyvault|secretref|secretsmanager|doppler|infisical):\S*[/#.])/;

const IN_BRACES = /^\{([^{}$]+)\}$/;

export function isPlaceholder(value: string): boolean {
  if (value.length > MAX_JUDGED) return false;
  if (EMPTY_VALUES.has(value.toLowerCase()) || REFERENCE.test(value)) return true;
  if (!PLACEHOLDER.test(value)) return false;
  // ODBC encloses actual values in braces: `Pwd={X}`.
  const inner = IN_BRACES.exec(value)?.[1];
  return inner === undefined || !looksSecret(inner);
}

/** True for function words, and for words of a sentence that describe the state of a secret, such as `expired`. */
export function isStateWord(word: string): boolean {
  const folded = foldAccents(word.toLowerCase());
  return (
    SMALL_WORDS.has(folded) ||
    STATES.has(folded) ||
    (folded.length > 4 && STATE_ENDS.test(folded) && !NO_STATES.has(folded) && isPlainWord(word))
  );
}

/** True for function words, which do not occur in passphrases. */
export function isSmallWord(word: string): boolean {
  return SMALL_WORDS.has(foldAccents(word.toLowerCase()));
}

/** Matches a word of a sentence: only letters, in lower case, capitalized or in capitals. */
const WORD = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{M}]+)(?:['’]\p{Ll}{1,2})?$/u;

export function isPlainWord(token: string): boolean {
  return token.length <= MAX_JUDGED && WORD.test(token);
}

const PERMISSION = /^(?:read|write|delete|create|update|manage|list|revoke|rotate)$/;

/** True for the last word of a permission's name, such as `read` in `tokens:read`. */
export function isPermission(word: string): boolean {
  return PERMISSION.test(word);
}

/** Participles of Dutch, German, and the Romance languages: `geblokkeerd`, `cambiata`. */
const PARTICIPLE = /^(?:ge[a-z]{3,}(?:d|t|en)|[a-z]{2,}(?:[aiu]t[aoie]|[ai]d[ao]s?|ée?s?))$/;

/**
 * True for a participle. At the beginning of the text after a secret's name, it shows that the text is a sentence about the secret; other
 * words can be a passphrase.
 */
export function isParticiple(word: string): boolean {
  return PARTICIPLE.test(word);
}

const FILE_PATH = /^(?!.*password\/)(?:\/[a-z][a-z_-]{1,20}){2,8}(?:\.[a-z]{2,4})?$/;

/**
 * True for an absolute path of words: `/srv/app`, `/etc/ssl/server.pem`. False for a path with `password/`, such as that of a page that
 * sets a password, because the password can follow.
 */
export function isFilePath(value: string): boolean {
  return value.charCodeAt(0) === 0x2f && value.length <= MAX_JUDGED && FILE_PATH.test(value);
}

const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const ORDINARY: readonly RegExp[] = [
  EMAIL,
  // Numbers with units, ranges, percentages, versions, prices.
  /^[#~≈<>=+-]*[$€£¥]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|[a-zA-Zµ%°]{1,3}|bits?|bytes?|chars?|mins?|secs?|days?|hours?)?$/,
  /^\d+(?:[-–/x]\d+)+(?:T[\d:.]+Z?)?$/,
  /^\d{4}-\d\d-\d\dT[\d:.+-]+Z?$/,
  /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/,
  /^v\d+$/i,
  // Parts of programs: paths, files, calls, constants, compound words.
  /^(?:\.{0,2}\/[\w.:@/-]*|[\w-]+(?:\/[\w-]+)+)$/,
  /^[\w-]+\.(?:ts|js|mjs|cjs|tsx|jsx|json|ya?ml|env|txt|md|html?|css|sql|py|go|rb|java|php|sh|log|pem|key|crt|toml|ini|cfg|conf|xml|csv|com|org|net|io|dev|local)$/i,
  /^[\w.$]+\(.*\)?$/,
  /^[A-Za-z]+(?:[-'’][A-Za-z]+)?$/,
  /^[A-Za-z]+(?:[_.][A-Za-z]+)*$/,
  /^(?:sha-?|hs|rs|es|ps|md|aes-?|utf-?|base|rfc|iso-?|http\/?|ipv|oauth|tls|ssl|x|ecma|es|h|s|ec|p|rsa-?|k8|web|sso|mfa|[ivxlc])\d+(?:[-.]\w{1,5})*$/i,
  // Permissions: `write:packages`. Other words before a colon can be a user with a password.
  /^(?:read|write|delete|create|update|manage|list|view|edit)(?::[a-z_.*-]+)+$/i,
  /^[a-z]+:\/\//i,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
];

/**
 * True for ordinary tokens that occur next to secrets in sentences: numbers, dates, addresses, paths, words.
 */
export function looksOrdinary(token: string): boolean {
  return token.length <= MAX_JUDGED && ORDINARY.some((pattern) => pattern.test(token));
}

const MIN_SECRET = 5;

const LONG_ID = /^(?=.*\d)[\da-f-]{32,}$/i;

/** Words in small letters with dashes or underscores, and small numbers: `edge-wildcard-tls`, `wildcard-2025`. */
const SLUG = /^(?=.{3,48}$)[a-z]{2,}\d?(?:[-_](?:[a-z]{2,}\d?|[a-z]|\d{1,4}|v\d))+$/;
const WORDS = /^[a-z]{2,}\d?(?:[-_][a-z]{2,}\d?)+$/;

/** True for a token in the form of a server's or certificate's name, such as `edge-wildcard-tls`: see `SLUG`. */
export function isSlug(token: string): boolean {
  return SLUG.test(token);
}

/** Like {@link isSlug}, without numbers of several digits: `hwk-fido2`. */
export function isWords(token: string): boolean {
  return WORDS.test(token);
}

/** True for a UUID or a long hexadecimal number. Such a token is an id, unless a secret's name is next to the token. */
export function isLongId(token: string): boolean {
  return token.length <= MAX_JUDGED && LONG_ID.test(token);
}

const MAX_TOKENS = 24;
/** Short codes of standards, products and tickets: `ERC-721`, `SHOP-12`. */
const SHORT_CODE = /^[A-Z]{2,6}-?\d{1,4}$/;
/**
 * Matches a token of 8 to 128 characters without blanks that contains small letters, capitals and digits, and is not a URL. `mayBeSecret`
 * tests the pattern before it splits the value at `PUNCTUATION`, because a password can contain these signs.
 */
const PASSWORD = /^(?!\w+:\/\/)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)\S{8,128}$/;
/**
 * Matches the number of a person, such as a tax or identity number, in groups or with a final letter: `529.982.247-25`, `12345678Z`. Does
 * not match a date.
 */
const LONG_NUMBER = /^(?!(?:19|20)\d\d[-./])[A-Z]{0,3} ?(?:\d[ ./-]?){6,20}[A-Z]?$/;
/** True for a token that looks like a personal number, such as a tax number. False for an IPv4 address. */
export function isPersonal(token: string): boolean {
  return token.length > 8 && LONG_NUMBER.test(token) && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(token);
}

/** The number of a customer's account. It is shorter than the numbers of banks: `10023`. */
const CUSTOMER_NUMBER = /^\d{1,5}$/;

/**
 * Matches a value that was hidden before it reached redaction: `****1234`, `[REDACTED]`. Such a value shows at most four digits, or the
 * first six and last four digits of a card (PCI DSS).
 */
const MASKED =
  /^(?:[*•●](?:[ -]?[*•●]){3,23}[ -]?\d{0,4}|\d{1,4}[ -]?[*•●](?:[ -]?[*•●]){3,23}|\d{6}[*•●]{6,9}\d{4}|[*•●]{3,32}|[<[(]?(?:redacted|omitted|masked|filtered|removed)[>\])]?)$/i;

/** True for a value that was hidden before it reached redaction. */
export function isMasked(value: string): boolean {
  return MASKED.test(value);
}

/** Separators between the tokens of a value, a list, or settings such as `t=1,v1=X`. */
const PUNCTUATION = /[\s,;=:()]+/;
/** Minimum of a number that can be a code. Smaller numbers are usually sizes, counts or positions. */
const MIN_CODE = 1000;

/**
 * True if a value can be a secret, for names that can also mean something else. Such a value is a number of at least `MIN_CODE`, or a text
 * with a token that looks like a secret or an id, with a personal number, or with a part that was redacted before.
 */
export function mayBeSecret(value: string | number): boolean {
  if (typeof value === 'number') return value >= MIN_CODE;
  if (isMasked(value)) return false;
  // The rest of a text with a secret part can be a secret, too.
  if (value.includes(REDACTED_TEXT)) return true;
  if (value.length > MAX_JUDGED && !/\s/.test(value.slice(0, MAX_JUDGED))) return true;
  if (value.split(/\s+/, MAX_TOKENS).some((token) => PASSWORD.test(token))) return true;
  if (LONG_NUMBER.test(value) || hasRandomLetters(value.replace(/[,;=:()]+/g, ''))) return true;
  return value
    .split(PUNCTUATION, MAX_TOKENS)
    .some(
      (token) =>
        !SHORT_CODE.test(token) &&
        !isWords(token) &&
        (/^\d{4,}$/.test(token) || looksSecret(token) || isLongId(token)),
    );
}

/** True if a value can be a secret under a name with this verdict. Used for verdicts with which the name alone does not decide. */
export function mayBeNamedBy(verdict: NameVerdict, value: string | number): boolean {
  if (verdict === 'random')
    return typeof value === 'string' && value.split(/,\s?/, MAX_TOKENS).some((token) => RANDOM.test(token));
  if (verdict === 'secret id') return !matchesShort(REFERENCE_ID, `${value}`);
  if (verdict === 'id') return !matchesShort(ID, `${value}`) && !matchesShort(UUID, `${value}`);
  return verdict === 'account' ? !CUSTOMER_NUMBER.test(`${value}`) : mayBeSecret(value);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An ARN, or a path in a vault. */
const REFERENCE_FORM = String.raw`arn:[\w:/.-]+|[a-z][a-z_-]{0,32}\d{0,4}(?:\/(?:[a-z][a-z_-]{0,32}\d{0,4}|\d{1,12}))+`;
/** Matches a number, an id of MongoDB, a ULID, an id with a prefix, or a reference. */
const ID = new RegExp(
  String.raw`^(?:\d{1,20}|[0-9a-f]{24}|[\dA-HJKMNP-TV-Z]{26}|(?:tok|token|nft|key|kid|cred|credential|rt|at|pat|api|app|id|ref|usr|user)[_:-](?=[A-Za-z]*\d)[A-Za-z\d]{1,26}|${REFERENCE_FORM})$`,
);
/**
 * Matches an id that only refers to a secret: a small number or a reference. Some services call the secret itself `secret_id`, so an id of
 * another form can be the secret.
 */
const REFERENCE_ID = new RegExp(String.raw`^(?:\d{1,3}|${REFERENCE_FORM})$`);

function matchesShort(form: RegExp, value: string): boolean {
  return value.length <= MAX_JUDGED && form.test(value);
}

/** Matches a long text of small letters, capitals and digits, as programs generate it. */
const RANDOM = /^(?=[^a-z]{0,255}[a-z])(?=[^A-Z]{0,255}[A-Z])(?=\D{0,255}\d)[\w.~+/=-]{20,256}$/;

/** Matches a word at the end of a question or an exclamation, and a setting with its name: `forgotten?`, `attempts=3`. */
const WORD_OR_SETTING = /^(?:[\p{L}\p{M}'’-]+[!?]+|[A-Za-z][\w.-]*=[^=].*)$/u;

const MIN_RANDOM = 24;
const RANDOM_PART = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[\w-]{10,}$/;

/**
 * True for base64 that looks like a path because it contains slashes. At least one part between the slashes contains small letters,
 * capitals and digits.
 */
function isRandomPath(token: string): boolean {
  return (
    token.length >= MIN_RANDOM &&
    token.includes('/') &&
    token.split('/', 8).some((part) => RANDOM_PART.test(part))
  );
}

/**
 * True if a token looks like a secret without context: random letters, letters mixed with digits or signs, digits with signs, or a token
 * longer than `MAX_JUDGED`. False for shorter tokens that are placeholders or look ordinary, such as dates and paths.
 */
export function looksSecret(token: string): boolean {
  if (token.length > MAX_JUDGED) return true;
  if (token.length < MIN_SECRET || isPlaceholder(token)) return false;
  if (hasRandomLetters(token)) return true;
  if ((looksOrdinary(token) && !isRandomPath(token)) || WORD_OR_SETTING.test(token)) return false;
  let letters = 0;
  let digits = 0;
  let signs = 0;
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if (isLetterOrDigit(code) || code >= 128) letters++;
    else signs++;
  }
  return letters > 0 ? digits + signs > 0 || hasMixedCase(token) : digits >= MIN_SECRET && signs > 0;
}

/** Matches a token of 6 to 128 characters with a digit and a letter that also has small and capital letters, or a sign. */
const PASSWORD_LIKE =
  /^(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])(?:(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])|(?=[^!@#$%^&*?+~]*[!@#$%^&*?+~]))\S{6,128}$/;

/** True for a password as people and programs write one, more strictly than {@link looksSecret}. */
export function isPasswordLike(token: string): boolean {
  return PASSWORD_LIKE.test(token) && !isPlaceholder(token) && !looksOrdinary(token);
}

/** True if a token has capitals in the middle of words, such as `qWeRtZu`. False if each capital begins a word, as in `camelCase`. */
function hasMixedCase(token: string): boolean {
  return (
    /[a-z][A-Z].*[a-z][A-Z]|[a-z][A-Z]{2}|[A-Z]{2,}[a-z]+[A-Z]/.test(token) &&
    !/^(?:[A-Z]?[a-z]{2,})+$/.test(token)
  );
}
