/**
 * Which names look like a secret's. A name is split into words at `_`, `-`, `.`, brackets, spaces, digits and camelCase, and compared whole:
 * `shippingPin` is a secret, `shipping` is not; `card` is, `discard` is not.
 */

/** Words that make any name they occur in a secret's. */
const SECRET_WORDS = [
  'password passwords passwd pwd passphrase passcode secret secrets token authorization cookie cookies session csrf xsrf',
  'ssn card cvv cvc pin iban credential credentials jwt bearer otp totp',
  // Written in one, as headers and configuration files do.
  'apikey apitoken apisecret accesskey accesstoken authtoken bearertoken clientsecret secretkey privatekey signingkey encryptionkey',
  'refreshtoken idtoken sessionid sessiontoken sessid phpsessid jsessionid csrftoken xsrftoken cardnumber creditcard debitcard',
]
  .join(' ')
  .split(' ');

/** The same for words in this order. */
const SECRET_PHRASES = [
  'api key',
  'access key',
  'private key',
  'signing key',
  'encryption key',
  'master key',
  'social security',
  'connection string',
  'connect sid',
];

/** Names that are a secret's only when they stand alone. */
const SECRET_NAMES = new Set(['pass', 'auth', 'sid']);

/** The words of a name, in lower case. */
function wordsOf(name: string): string[] {
  // Here and not above: to make it takes milliseconds, which a service that starts need not spend.
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{M}]+|\p{Lu}/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Names repeat: a program has hundreds, a request the same ones over and over. */
const CACHE_SIZE = 5000;
const CACHED_LENGTH = 200;

/** Tells secrets' names from others: the built-in ones and those of a project's own rules, which are compared in the same way. */
export class SecretNames {
  readonly #phrases = new Set<string>([...SECRET_WORDS, ...SECRET_PHRASES]);
  readonly #verdicts = new Map<string, boolean>();
  #longest = 2;

  constructor(own: readonly string[] = []) {
    for (const name of own) {
      const words = wordsOf(name);
      if (words.length === 0) continue;
      this.#phrases.add(words.join(' '));
      this.#longest = Math.max(this.#longest, words.length);
    }
  }

  has(name: string): boolean {
    const known = this.#verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = this.#judge(name);
    if (name.length <= CACHED_LENGTH) {
      if (this.#verdicts.size >= CACHE_SIZE) this.#verdicts.clear();
      this.#verdicts.set(name, verdict);
    }
    return verdict;
  }

  #judge(name: string): boolean {
    if (SECRET_NAMES.has(name.toLowerCase())) return true;
    const words = wordsOf(name);
    return words.some((_, start) => {
      let phrase = '';
      for (let end = start; end < words.length && end - start < this.#longest; end++) {
        phrase += end === start ? words[end] : ` ${words[end]}`;
        if (this.#phrases.has(phrase)) return true;
      }
      return false;
    });
  }
}
