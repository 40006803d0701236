/** Generates random texts. The same seed gives the same texts. */
export class Maker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  of<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  upper = (length: number) => this.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', length);
  lower = (length: number) => this.text('abcdefghijklmnopqrstuvwxyz', length);
  digits = (length: number) => this.text('0123456789', length);
  /** Generates digits, the first of which is not 0. */
  count = (length: number) => this.text('123456789', 1) + this.digits(length - 1);
  hex = (length: number) => this.text('0123456789abcdef', length);
  base32 = (length: number) => this.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length);
  alnum = (length: number) => this.text(ALNUM, length);
  base64url = (length: number) => this.text(`${ALNUM}-_`, length - 1) + this.text(ALNUM, 1);
  base64 = (length: number) => this.text(`${ALNUM}+/`, length - 1) + this.text(ALNUM, 1);

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }

  /** Generates a password as people choose passwords: a word, digits, a sign and two letters. */
  password(): string {
    const word = this.of(WORDS);
    return (
      word.charAt(0).toUpperCase() +
      word.slice(1) +
      this.digits(3) +
      this.of(['!', '#', '$', '_', '*']) +
      this.lower(2)
    );
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.of(WORDS)).join(' ');
  }

  jwt(): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: this.digits(6), exp: 1_900_000_000 })}.${this.base64url(43)}`;
  }

  /** Generates a card number: digits that begin with `prefix` and end with a valid check digit (Luhn). */
  card(prefix: string, length = 16): string {
    const digits = prefix + this.digits(length - 1 - prefix.length);
    let sum = 0;
    for (let at = 0; at < digits.length; at += 1) {
      const digit = Number(digits[digits.length - 1 - at]);
      sum += at % 2 === 0 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    }
    return digits + ((10 - (sum % 10)) % 10);
  }

  /** Generates an account number (IBAN) with valid check digits (ISO 13616). */
  iban(country: 'DE' | 'PT' | 'GB'): string {
    const account =
      country === 'DE' ? this.digits(18) : country === 'PT' ? this.digits(21) : `BARC${this.digits(14)}`;
    const letters = (text: string) => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
    const check = 98n - (BigInt(letters(`${account}${country}00`)) % 97n);
    return country + String(check).padStart(2, '0') + account;
  }

  pemBody(lines: number): string {
    return Array.from({ length: lines }, () => this.base64(64)).join('\n');
  }
}

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

// Words from the list of BIP 39, from which wallets build recovery phrases.
const WORDS = [
  'abandon',
  'basket',
  'cactus',
  'diamond',
  'elephant',
  'fabric',
  'galaxy',
  'hammer',
  'island',
  'jungle',
  'kitchen',
  'lizard',
  'magnet',
  'napkin',
  'orange',
  'parrot',
  'quantum',
  'rabbit',
  'saddle',
  'tiger',
  'umbrella',
  'velvet',
  'walnut',
  'zebra',
] as const;
