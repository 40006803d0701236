import { isLongId, isPlaceholder, isStateWord, looksSecret } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';

/** First words of the path segment that precedes the token in a link: `reset` in `/reset-password/X`. */
export const LINK_WORDS =
  'reset magic magiclink verify confirm activate activation invite invites invitation invitations unsubscribe recover private webhooks services hooks setpassword changepassword resetpassword';

const MAX_LINK = 320;
/** Matches the text after a word of `LINK_WORDS`: the rest of that segment, in some links a segment with a user's id, and the token. */
const TOKEN = /^([\w-]{0,40})\/(?:[\w-]{1,12}\/)?([\w.~-]{16,200})(?=[/?#\s"'`<>()[\]{},;\\]|$)/;
/** The token is the first parameter: `/magic-link?t=X`. */
const IN_QUERY = /^[\w-]{0,40}\/?[?#]\w{1,3}=([\w.~-]{24,200})(?=[&#\s"'`<>()[\]{},;\\]|$)/;
/** The id and the token of a webhook: `/webhooks/99120/X`. */
const WEBHOOK = /^\/\d{4,24}\/([\w-]{16,128})/;
const PRIVATE = /^-([0-9a-f]{24,64})(?=\/)/;
/** Patterns for the tokens of vendors' webhooks (Slack, Zapier, Mattermost), by the word of the path before the token. */
const OF_VENDORS: ReadonlyMap<string, RegExp> = new Map([
  ['services', /^\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/(\w{16,40})(?!\w)/],
  [
    'hooks',
    /^\/(?:catch\/\d{4,12}\/(?=[a-z]*\d))?(?=[a-z]*\d)(\w{5,7}(?<=\d\/\w{5,7})|[a-z\d]{26})(?![\w-])/,
  ],
]);

/**
 * Words of a link that concerns a person's account. Other links that verify or confirm something, such as a payment, contain an id instead
 * of a token.
 */
const OF_PERSON = /mail|account|user|token|password|signup|registration/i;
const TITLE = /^(?:[A-Za-z]{2,}|\d{1,4})(?:[-_.](?:[A-Za-z]{2,}|\d{1,4}))+$/;
const SHORT_ID = /^[0-9a-f]{24}$/;

/** Finds the token in the path of a link such as `/reset-password/X` whose word is from `start` to `end`. */
export function findLinkToken(text: string, start: number, end: number): Part | undefined {
  if (text.charAt(start - 1) !== '/') return undefined;
  const word = text.slice(start, end).toLowerCase();
  const rest = text.slice(end, end + MAX_LINK);
  if (word === 'private') return toPart(end + 1, PRIVATE.exec(rest)?.[1]);
  if (word === 'webhooks') {
    const webhook = WEBHOOK.exec(rest);
    return webhook === null
      ? undefined
      : toPart(end + webhook[0].length - (webhook[1]?.length ?? 0), webhook[1]);
  }
  const ofVendor = OF_VENDORS.get(word);
  if (ofVendor !== undefined) {
    const found = ofVendor.exec(rest);
    return found === null ? undefined : toPart(end + found[0].length - (found[1]?.length ?? 0), found[1]);
  }
  const inQuery = IN_QUERY.exec(rest);
  if (inQuery?.[1] !== undefined && looksSecret(inQuery[1]) && !isLongId(inQuery[1]))
    return toPart(end + inQuery[0].length - inQuery[1].length, inQuery[1]);
  const found = TOKEN.exec(rest);
  const [whole, segment = '', token] = found ?? [];
  if (whole === undefined || token === undefined || TITLE.test(token)) return undefined;
  if ((word === 'verify' || word === 'confirm') && !OF_PERSON.test(segment)) return undefined;
  const isId = isLongId(token) || SHORT_ID.test(token);
  if (isId ? word.startsWith('invit') : !looksSecret(token) || !/\d/.test(token)) return undefined;
  return toPart(end + whole.length - token.length, token);
}

function toPart(start: number, token: string | undefined): Part | undefined {
  return token === undefined ? undefined : { start, end: start + token.length };
}

/** The beginning of a segment that sets or checks a password, up to the word `password`: `/reset-` in `/reset-password/X`. */
const SETS = /\/(?:[a-z]{1,12}[-_])?(?:set|change|update|reset|new|check|verify)[-_]?$/i;
const JOINED = /^[a-z]{3,8}password$/i;
const SEGMENTS = /^((?:\/[^/?#\s"'`<>‹{}]{1,128}){0,2})\/([^/?#\s"'`<>‹]{4,128})\/?(?=[?#\s"'`<>),]|$)/;
/** Segments that cannot be the password, because they tell what a page or a program does. */
const STEPS =
  /^(?:confirm\w*|done|success|sent|email|form|token|link|check|users?|admin|index.*|\d+|v\d+|.*\.html?|strength|score|meter|polic(?:y|ies)|rules|requirements|status|settings|options|valid(?:ate|ation)?|verif(?:y|ication)|resend|retry|request(?:ed|s)?|history|help|contact|guide|faq|about|docs|health|ping|version|schema|callback|start|finish|completed?|cancel(?:led)?|init(?:iate)?|instructions|new|edit|show|view|page|step\d?|submit(?:ted)?)$/i;

/** Finds the password in a path that sets the password: `/setpassword/ann/X`. The word `password` is from `start` to `end`. */
export function findSetInPath(text: string, start: number, end: number): Part | undefined {
  if (text.charCodeAt(end) !== 0x2f) return undefined;
  const isJoined = text.charAt(start - 1) === '/' && JOINED.test(text.slice(start, end));
  if (!isJoined && !SETS.test(text.slice(Math.max(0, start - 32), start))) return undefined;
  const found = SEGMENTS.exec(text.slice(end, end + 400));
  const value = found?.[2];
  if (found === null || value === undefined || isPlaceholder(value) || value.startsWith(':'))
    return undefined;
  if (STEPS.test(value) || isStateWord(value)) return undefined;
  const isAlone = found[1] === '';
  if (isAlone && (isLongId(value) || !/\d|[^\w-]/.test(value))) return undefined;
  return toPart(end + found[0].replace(/\/$/, '').length - value.length, value);
}
