import type { Part } from '../../texts/scan.ts';

const MAX_BEFORE = 96;
const MAX_AFTER = 80;

/** Matches a word such as `your`, which shows that the code belongs to the reader, and up to three words between this word and `code`. */
const OWNER =
  /(?:^|[^\p{L}])(?:your|dein|deine|ihr|votre|ton|tu|su|seu|teu|je|jouw|uw|tuo|suo|twoj|twój)\s((?:[\p{L}\d'’.&-]{1,20}\s){0,3})$/iu;
/** Words after which `code` is no secret, but the code of a thing: `zip code`. */
const OF_THINGS =
  /(?:^|\s)(?:zip|postal|post|area|country|region|promo|promotion|promotional|discount|coupon|voucher|gift|order|booking|reservation|tracking|parcel|product|item|error|status|exit|reason|sort|swift|referral|referrer|customer|employee|store|shop|branch|bank|class|course|dress|building|tax|currency|language|source|qr|bar|colou?r|room|team|game|sales|vat|airport|flight|ticket|seat|plan|stock|style|design|morse|unicode|html|http|city|state|sku|artist|campaign|partner|project|cost|charge|billing|model|part|species|industry)\s$/i;

const CODE = String.raw`(\d{3}[- ]\d{3,4}|\d{4,8})`;
const AFTER = new RegExp(
  String.raw`^(?:\s{1,3}(?:is|ist|lautet|est|es|é|è|to)|\s{0,3}[:=])\s{0,3}:?\s{0,2}${CODE}(?![\d-]|[.,]\d)`,
  'i',
);
/** `The code from the SMS is 123456` */
const SENT = new RegExp(
  String.raw`^\s(?:from|in|via|aus)\s(?:(?:the|your|my|der)\s)?(?:sms|text|text message|e-?mail|app|authenticator)\s(?:is|was|ist|:)\s?${CODE}(?![\d-]|[.,]\d)`,
  'i',
);
/** `Enter this code to sign in: 123456` */
const AFTER_WORDS = /^(?:\s[\p{L}'-]{1,15}){1,6}:\s(\d{4,8})(?!\d)/u;
const OF_LOGIN = /(?:this|the|following|dieser?n?|ce|este|questo)\s(?:[\p{L}-]{1,15}\s){0,2}$/iu;
const USED =
  /(?:^|[^\p{L}])(?:use|enter|type|verwende|verwenden sie|utilisez|usa|use o)\s(\d{4,8})\s(?:to|zum|pour|para|per)\s$/iu;

/** Finds the code in `Use 123456 to verify your account`, whose verb begins at `start`. */
export function findUsedCode(text: string, start: number): Part | undefined {
  const from = Math.max(0, start - 40);
  const found = USED.exec(text.slice(from, start));
  if (found?.[1] === undefined) return undefined;
  const at = from + found.index + found[0].indexOf(found[1]);
  return { start: at, end: at + found[1].length };
}

const USES =
  /(?:^|[^\p{L}])(?:use|enter|type|verwende|utilisez|saisissez|entrez|usa|use o|introdu(?:ce|zca)|ingres[ae]|inserisci|digite)\s(?:(?:the|this|den|le|el|il|o)\s)?$/iu;
/**
 * Matches a code that is used to log in or to confirm: `Use code 123 456 to sign in`. Codes for other purposes, such as a discount, are no
 * secrets.
 */
const FOR_LOGIN = new RegExp(
  String.raw`^:?\s${CODE}\s(?:to|zum|pour|para|per)\s(?:sign|log|verify|confirm|continue|reset|access|authenticate|unlock|complete|finish|anmelden|iniciar|entrar|vous connecter|verificar|continu|acced|confirm|complet|valider)`,
  'i',
);

const BEFORE = new RegExp(
  String.raw`(?:^|[^\w.,-])(?:[A-Z]-)?${CODE}\s{1,2}(?:is|ist|est|es|é|è|to|[-–:])\s{1,2}(?:your|dein|ihr|votre|ton|tu|su|seu|o seu|je|jouw|uw|il tuo|il suo|twoj|twój)\s(?:[\p{L}\d'’.&-]{1,20}\s){0,3}$`,
  'iu',
);

/** Matches a code that a state follows: `Code 118274 expired`. */
const JUDGED =
  /^\s(\d{4,8})\s(?:(?:has|is|was|ist)\s)?(?:already\s)?(?:expired|invalid|incorrect|wrong|used|rejected|abgelaufen|falsch|ungültig)(?!\w)/i;
/**
 * Words before `code` in messages about a program that failed. The codes in such messages have at most five digits, such as the close codes
 * of WebSocket.
 */
const OF_FAILURE =
  /(?:fail(?:ed|ure)|exit(?:ed)?|closed?|end(?:ed)?|stopped|return(?:ed|s)?|respon(?:ded|se)|answered|rejected|crashed|died)\s(?:with\s)?$/i;
const MAX_FAILURE = 5;
/** Words that show that a code proves a person's identity. */
const OF_IDENTITY = /verif|otp|[2m]fa|(?:log|sign)[- ]?in\b|sms|anmeld/i;

/**
 * Finds the one-time code beside the word `code`, which is from `start` to `end`: `Your Acme code is 123456`, `123456 is your Acme code`.
 */
export function findOneTimeCode(text: string, start: number, end: number): Part | undefined {
  const from = Math.max(0, start - MAX_BEFORE);
  const before = text.slice(from, start);
  if (OF_THINGS.test(before)) return undefined;
  const first = BEFORE.exec(before);
  if (first?.[1] !== undefined) {
    const at = from + first.index + first[0].indexOf(first[1]);
    return { start: at, end: at + first[1].length };
  }
  const after = text.slice(end, end + MAX_AFTER);
  const judged = JUDGED.exec(after)?.[1];
  if (judged !== undefined && judged.length <= MAX_FAILURE && OF_FAILURE.test(before)) return undefined;
  if (judged !== undefined && (OF_IDENTITY.test(before) || OF_IDENTITY.test(after)))
    return { start: end + 1, end: end + 1 + judged.length };
  const sent = SENT.exec(after);
  if (sent?.[1] !== undefined) {
    const last = end + sent[0].length;
    return { start: last - sent[1].length, end: last };
  }
  const found = OWNER.test(before)
    ? AFTER.exec(after)
    : OF_LOGIN.test(before)
      ? AFTER_WORDS.exec(after)
      : null;
  if (found?.[1] === undefined) return USES.test(before) ? findForLogin(after, end) : undefined;
  const last = end + found[0].length;
  return { start: last - found[1].length, end: last };
}

function findForLogin(after: string, end: number): Part | undefined {
  const found = FOR_LOGIN.exec(after);
  const code = found?.[1];
  if (found === null || code === undefined) return undefined;
  const start = end + found[0].indexOf(code);
  return { start, end: start + code.length };
}
