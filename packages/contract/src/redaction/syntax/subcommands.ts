import { isPlaceholder } from '../shapes/plausible.ts';
import type { Part } from '../texts/scan.ts';

/** An argument of a command, of 3 to 128 characters: a quoted text, or a text without blanks, quotes and `;`, `|`, `&`. */
const ARGUMENT = String.raw`(?:"[^"\r\n‹]{3,128}"|'[^'\r\n‹]{3,128}'|[^\s"'‹;|&]{3,128})`;
const OPTIONS = String.raw`(?:\s-[\w-]{1,32}(?:[=\s][^\s-]\S{0,63})?){0,6}?`;
const END = String.raw`(?=\s{0,4}(?:$|["'\`;|&)\r\n\\>]|\d>))`;
const command = (words: string): RegExp =>
  new RegExp(String.raw`^${OPTIONS}\s(?:${words})\s{1,4}(${ARGUMENT})${END}`);
const ofUser = command(String.raw`(?:add_user|change_password|authenticate_user)\s\S{1,64}`);
const ofHost = command(String.raw`(?:register|change_password|check_password)\s\S{1,64}\s\S{1,128}`);

/** `net use \\host\share /user:ada X`, `net use Z: \\host\share X`, `net user ada X /add`. */
const WINDOWS = new RegExp(
  String.raw`^[ \t]{1,4}(?:use[ \t]{1,4}(?:(?:[A-Za-z]:|\*)[ \t]{1,4})?\\{2,8}[^\s\\]{1,100}\\[^\s;|&]{1,128}(?:[ \t]{1,4}/u(?:ser)?:[^\s;|&]{1,64})?|user[ \t]{1,4}[\w.-]{1,64}(?=[ \t]{1,4}\S{1,130}[ \t]{1,4}/(?:add|domain|active)))[ \t]{1,4}(?!/)(${ARGUMENT})(?=\s{0,4}(?:$|["'\`;|&)\r\n\\]|/))`,
  'i',
);

/** Programs with subcommands that take a password without a flag. Each pattern matches the rest of the command up to the password. */
const PROGRAMS: ReadonlyMap<string, RegExp> = new Map([
  ['rabbitmqctl', ofUser],
  ['ejabberdctl', ofHost],
  ['mysqladmin', command('password')],
  ['net', WINDOWS],
  ['redis', command(String.raw`(?:AUTH(?:\s[\w.-]{1,64})?|CONFIG\sSET\s(?:requirepass|masterauth))`)],
]);

/** The programs of {@link PROGRAMS}, separated by spaces. */
export const SUBCOMMANDS: string = [...PROGRAMS.keys()].join(' ');

const MAX_COMMAND = 480;
/** The rest of a program's name: `redis-cli`. */
const NAME_END = /^[\w-]{0,24}/;

/** Finds the password in `rabbitmqctl change_password ann X`. The program's name begins with `word`, which ends at `end`. */
export function findSubcommand(text: string, end: number, word: string): Part | undefined {
  const pattern = PROGRAMS.get(word);
  if (pattern === undefined) return undefined;
  const rest = text.slice(end, end + MAX_COMMAND);
  const from = NAME_END.exec(rest)?.[0].length ?? 0;
  const found = pattern.exec(rest.slice(from));
  if (found?.[1] === undefined || (word === 'redis' && isAboutCommand(found[0], found[1]))) return undefined;
  return toArgument(end + from + found[0].length, found[1]);
}

/** Words after `AUTH` in messages about this command of Redis, or about SMTP's extension of this name. Such a word is not a password. */
const ABOUT_AUTH =
  /^(?:fail(?:ed|ure|s)|errors?|time(?:out|d)|requir(?:ed|es)|commands?|requests?|respon(?:se|ded)|repl(?:y|ied)|rejected|refused|denied|skipped|disabled|enabled|missing|needed|succeeded|success|ok|called|sent|received|returned|was|is|not|no|before|first|again|twice|without|with|and|or|module|flow|step|extension|mechanisms?)$/i;
/** Mechanisms of SASL. */
const MECHANISM =
  /^(?:PLAIN|LOGIN|CRAM-MD5|DIGEST-MD5|XOAUTH2?|OAUTHBEARER|SCRAM-SHA-\d{1,3}(?:-PLUS)?|GSSAPI|NTLM|EXTERNAL|ANONYMOUS)$/;

function isAboutCommand(command: string, argument: string): boolean {
  return command.includes('AUTH') && (ABOUT_AUTH.test(argument) || MECHANISM.test(argument));
}

/** Returns the range of an argument without its quotes. The argument ends at `last`. */
function toArgument(last: number, argument: string): Part | undefined {
  const isQuoted = /^["']/.test(argument);
  const value = isQuoted ? argument.slice(1, -1) : argument;
  if (isPlaceholder(value) || value.startsWith('-')) return undefined;
  const end = isQuoted ? last - 1 : last;
  return { start: end - value.length, end };
}

/** Words before `AUTH` in a message about a command that was sent to Redis. */
const SENT = /(?:WRONGPASS|NOAUTH|redis|tried|sent|command|running|failed)\b.{0,40}$/i;
const SENT_AUTH = /^\s(?:[\w.-]{1,64}\s)?([^\s"'`‹,;]{3,128}?)(?=[.,;:!?)]{0,2}(?:$|[\r\n"'`]))/;

/** Finds the password of `AUTH ann X` in a message: `WRONGPASS invalid pair, tried AUTH ann X`. */
export function findSentAuth(text: string, start: number, end: number): Part | undefined {
  if (!text.startsWith('AUTH', start) || !SENT.test(text.slice(Math.max(0, start - 64), start)))
    return undefined;
  const found = SENT_AUTH.exec(text.slice(end, end + 210));
  const value = found?.[1];
  if (found === null || value === undefined || isPlaceholder(value) || isAboutCommand('AUTH', value))
    return undefined;
  const last = end + found[0].length;
  return { start: last - value.length, end: last };
}
