/**
 * Finds card numbers in text: 13 to 19 digits that start with 2 to 6 and pass the Luhn check, in one run or
 * grouped as on cards with single spaces, dashes, dots or underscores. The digits must not be within a word or a longer number,
 * or follow a decimal point or a plus sign. Timestamps in ms and µs start with 1 until 2033, so they are not
 * matched.
 */

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Group sizes of card numbers: first Visa, Mastercard and most others; then Amex and Diners; then Maestro. */
const GROUPS = /^(?:4,4,4,[1-4](?:,[1-3])?|4,6,[45]|4,4,5|6,(?:[789]|1[0-3]))$/;
/** Number of digits that already reveal too much of a card number, if the string is cut off within the number. */
const TELLING_DIGITS = 7;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isWord(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Beginnings and lengths of card numbers, by issuer: Visa; Mastercard and Mir; American Express; Diners; JCB; UnionPay, Discover and
 * Maestro. Numbers of 19 digits with other beginnings are often ids.
 */
const ISSUED =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720|220[0-4])\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35\d{14,17}|(?:5[0678]|6\d)\d{11,17})$/;

/** True if the digits are exactly one card number. */
export function isCardNumber(digits: string): boolean {
  const first = digits.charCodeAt(0) - 0x30;
  return (
    digits.length >= MIN_DIGITS &&
    digits.length <= MAX_DIGITS &&
    first >= 2 &&
    first <= 6 &&
    endOfDigits(digits, 0) === digits.length &&
    ISSUED.test(digits) &&
    isLuhn(digits)
  );
}

/** Finds the end of the run of digits that begins at `start`. */
export function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

function standsAloneBefore(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  // A card number follows `%B`, which begins the first track of a card's magnetic stripe.
  if (before === 0x42 && text.charCodeAt(start - 2) === 0x25) return true;
  if (isWord(before) || before === 0x2b) return false;
  return before !== 0x2e || start < 2 || !isDigit(text.charCodeAt(start - 2));
}

function standsAloneAfter(text: string, end: number): boolean {
  if (end >= text.length) return true;
  const after = text.charCodeAt(end);
  return !isWord(after) && !(after === 0x2e && isDigit(text.charCodeAt(end + 1)));
}

/**
 * Returns the end of the card number that begins with the digits from `start` to `runEnd`, or 0 if there is
 * none. `cut` means that the text was cut off at its end, so digits that reach the end can be the beginning
 * of a card number.
 */
export function endOfCardNumber(text: string, start: number, runEnd: number, cut: boolean): number {
  const first = text.charCodeAt(start);
  if (first < 0x32 || first > 0x36 || runEnd - start > MAX_DIGITS || !standsAloneBefore(text, start))
    return 0;
  const run = runEnd - start;
  if (run >= MIN_DIGITS) {
    return isCardNumber(text.slice(start, runEnd)) && standsAloneAfter(text, runEnd) ? runEnd : 0;
  }
  if (cut && runEnd === text.length) return run >= TELLING_DIGITS ? runEnd : 0;
  return run === 4 || run === 6 ? endOfGroups(text, start, runEnd, cut) : 0;
}

/** Space, dash, dot, no-break spaces, thin space and underscore. */
const SEPARATORS = new Set([0x20, 0x2d, 0x2e, 0xa0, 0x2009, 0x202f, 0x5f]);

function endOfGroups(text: string, start: number, firstEnd: number, cut: boolean): number {
  const separator = text.charCodeAt(firstEnd);
  if (!SEPARATORS.has(separator)) return 0;
  let digits = text.slice(start, firstEnd);
  let sizes = `${digits.length}`;
  let found = 0;
  let end = firstEnd;
  while (text.charCodeAt(end) === separator && isDigit(text.charCodeAt(end + 1))) {
    const groupEnd = endOfDigits(text, end + 1);
    const group = groupEnd - end - 1;
    if (digits.length + group > MAX_DIGITS) return found;
    digits += text.slice(end + 1, groupEnd);
    sizes += `,${group}`;
    end = groupEnd;
    if (
      digits.length >= MIN_DIGITS &&
      GROUPS.test(sizes) &&
      isCardNumber(digits) &&
      standsAloneAfter(text, end)
    )
      found = end;
  }
  if (found === 0 && cut && end === text.length && digits.length >= TELLING_DIGITS) return end;
  return found;
}

const NO_CARD_BELOW = 2e12;

export function isCard(value: number): boolean {
  return value >= NO_CARD_BELOW && isCardNumber(`${value}`);
}
