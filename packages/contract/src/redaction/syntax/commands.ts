import { isPlaceholder, isStateWord, looksSecret, MAX_JUDGED } from '../shapes/plausible.ts';
import {
  COMMA,
  DASH,
  findRunEnd,
  isBase64Url,
  isBlank,
  isDigit,
  isLetter,
  isQuote,
  OPEN_LIST,
} from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { readString } from '../values/strings.ts';
import { findHtpasswd } from './logins.ts';
import { toMatchedPart } from './matched-part.ts';
import { isNameAsValue } from './names-as-values.ts';

const MAX_FLAG = 48;
/** Maximum distance between a command and its flag. */
const MAX_COMMAND = 200;

/** Commands that can take a password without a word for a secret in the command: `mysql -pX`. */
export const COMMANDS =
  'mysql mariadb sshpass mongo docker podman cqlsh sqlplus influx rabbitmqadmin mosquitto sqlcmd tsql bcp unzip zip redis ldap lftp ncftp smb rpcclient mount net htpasswd keygen echo printf openssl useradd usermod';

/** One-letter flags that pass a password to certain commands. */
const FLAGS = new Map<string, { readonly commands: RegExp; readonly attached: boolean }>([
  [
    'p',
    {
      commands:
        /^login\s|\b(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|7z\w*|docker\s+login|podman\s+login|cqlsh|sqlplus|az|useradd|usermod|influx|rabbitmqadmin|mosquitto_\w+)\b/,
      attached: true,
    },
  ],
  ['N', { commands: /\bssh-keygen\b/, attached: false }],
  ['P', { commands: /\b(?:ssh-keygen|sqlcmd|tsql|bcp|unzip|mosquitto_\w+|zip)\b/, attached: true }],
  ['a', { commands: /\bredis-cli\b/, attached: false }],
  ['w', { commands: /\bldap\w+\b/, attached: false }],
  ['k', { commands: /\bopenssl\s/, attached: false }],
]);

/** Finds the value of a flag whose dash is at `at`: `--password X`, `curl -u ann:X`, `mysql -pX`. */
export function findFlagValue(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (!beginsArgument(text, at)) return undefined;
  if (READS_INPUT.test(text.slice(at, at + 18))) return findPiped(text, at);
  if (text.charCodeAt(at + 1) === DASH) return findLongFlag(scan, at + 2);
  const flag = text.charAt(at + 1);
  if (
    isLetter(text.charCodeAt(at + 2)) &&
    isLetter(text.charCodeAt(at + 3)) &&
    isLetter(text.charCodeAt(at + 1))
  ) {
    const part = findLongFlag(scan, at + 1);
    if (part !== undefined) return part;
  }
  if (flag === 'u' || flag === 'U') {
    const user = startOfNext(text, at + 2) ?? at + 2;
    return findUser(text, user) ?? findOtherUser(text, at, user);
  }
  const htpasswd = findHtpasswd(text, at);
  if (htpasswd !== undefined) return htpasswd;
  const known = FLAGS.get(flag);
  if (known === undefined || !known.commands.test(text.slice(Math.max(0, at - MAX_COMMAND), at)))
    return undefined;
  const next = startOfNext(text, at + 2);
  if (next !== undefined && text.startsWith('login ') && PORT.test(text.slice(next, next + 8)))
    return undefined;
  // `mysql -p shop` prompts for the password: only a value that is attached to the flag is a password.
  if (next === undefined) return known.attached ? findArgument(text, at + 2) : undefined;
  return /\b(?:mysql|mariadb)/.test(text.slice(Math.max(0, at - MAX_COMMAND), at))
    ? undefined
    : findArgument(text, next);
}

const PORT = /^\d{1,5}(?:\s|$)/;

/** Flags with which a command reads a password from its input. */
const READS_INPUT = /^-(?:S|-password-stdin|-stdin)(?=\s|$)/;
const PIPED =
  /(?:^|[\s;&(])(?:echo|printf)\s(?:-n\s)?(?:'([^'‹]{3,128})'|"([^"‹]{3,128})"|([^\s"'‹|]{3,128}))\s{0,2}\|\s{0,2}[^|‹]{1,80}$/;

/** Finds the password in `echo 'X' | sudo -S make`, whose flag is at `at`. */
function findPiped(text: string, at: number): Part | undefined {
  const from = Math.max(0, at - MAX_COMMAND);
  const found = PIPED.exec(text.slice(from, at));
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  if (found === null || value === undefined || isPlaceholder(value)) return undefined;
  const start = from + found.index + found[0].indexOf(value);
  return { start, end: start + value.length };
}

/** Commands that separate the user and the password by a sign other than a colon. */
const OTHER_USERS: readonly { readonly commands: RegExp; readonly user: RegExp }[] = [
  { commands: /\b(?:lftp|ncftp\w*)\b/, user: /^["']?[\w.@+-]{1,64},([^\s"'‹]{3,128})/ },
  {
    commands: /\b(?:smb\w+|rpcclient|mount\.cifs|net)\b/,
    user: /^["']?[\w.@+\\/-]{1,64}%([^\s"'‹]{3,128})/,
  },
];

/** Finds the password in `lftp -u ada,X` and `smbclient -U ada%X`. */
function findOtherUser(text: string, at: number, start: number): Part | undefined {
  const before = text.slice(Math.max(0, at - MAX_COMMAND), at);
  const found = OTHER_USERS.find(({ commands }) => commands.test(before))?.user.exec(
    text.slice(start, start + 200),
  );
  const value = found?.[1];
  if (found === undefined || found === null || value === undefined || isPlaceholder(value)) return undefined;
  const end = start + found[0].length;
  return { start: end - value.length, end };
}

const AUTH = /^[ \t]{1,4}(?:[\w.-]{1,64}[ \t]{1,4})?(\S{5,256})[ \t]{0,4}(?=$|[\r\n])/;

/** Finds the password of Redis's `AUTH X` or `AUTH ann X`, which is a whole line. */
export function findAuthCommand(text: string, start: number, end: number): Part | undefined {
  if (
    start > 0 &&
    !(
      text.startsWith('AUTH', start) &&
      /(?:[\r\n]|> ?|HELLO 3 )$/.test(text.slice(Math.max(0, start - 12), start))
    )
  )
    return undefined;
  const password = AUTH.exec(text.slice(end, end + 340))?.[1];
  return password === undefined || !looksSecret(password)
    ? undefined
    : toMatchedPart(end, AUTH.exec(text.slice(end, end + 340)));
}

function beginsArgument(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return at === 0 || before <= 0x20 || isQuote(before) || before === OPEN_LIST || before === COMMA;
}

function findLongFlag({ text, names }: TextScan, start: number): Part | undefined {
  const end = findRunEnd(text, start, isFlagCode, start + MAX_FLAG);
  if (end === start) return undefined;
  const next = startOfNext(text, end);
  if (next === undefined) return undefined;
  const name = text.slice(start, end);
  // OpenSSL: `-passin pass:X`. Other sources, such as `env:NAME`, contain no password.
  if (/^pass(?:in|out)?$/.test(name) && text.startsWith('pass:', next)) return findArgument(text, next + 5);
  if (/(?:^|-)user$/.test(name)) return findUser(text, next);
  if (names.judge(name) === 'plain') return undefined;
  return findArgument(text, next);
}

function isFlagCode(code: number): boolean {
  return isBase64Url(code) || code === 0x2e;
}

/** Finds the start of the argument that follows the argument ending at `end`, in a command line or a list of quoted arguments. */
function startOfNext(text: string, end: number): number | undefined {
  let at = end;
  if (isQuote(text.charCodeAt(at))) {
    at = findRunEnd(text, at + 1, isBlank, at + 8);
    if (text.charCodeAt(at) !== COMMA) return undefined;
    at = findRunEnd(text, at + 1, (code) => code <= 0x20, at + 32);
    return isQuote(text.charCodeAt(at)) ? at : undefined;
  }
  const next = findRunEnd(text, at, isBlank, at + 8);
  return next === at || next === text.length ? undefined : next;
}

function findArgument(text: string, start: number): Part | undefined {
  const part = readArgument(text, start);
  if (part.end <= part.start || text.charCodeAt(part.start) === DASH) return undefined;
  const value = text.slice(part.start, Math.min(part.end, part.start + MAX_JUDGED + 1));
  if (/[=:]\\*$/.test(value) && isNameAsValue(value)) return undefined;
  return isPlaceholder(value) || NAMED_ARGUMENT.test(value) || (part.start === start && isStateWord(value))
    ? undefined
    : part;
}

/** Matches an argument that names a secret without containing it: `docker build --secret id=npmrc`. */
const NAMED_ARGUMENT = /^(?:id|src|type|source|target|env)=/;

function readArgument(text: string, start: number): Part {
  if (isQuote(text.charCodeAt(start))) {
    const { start: from, end } = readString(text, start, 0);
    return { start: from, end };
  }
  return { start, end: findRunEnd(text, start, (code) => code > 0x20 && !isQuote(code) && code !== 0x2039) };
}

/** Finds the password in `ann:X`. A number after the colon is a group id, as in `1000:1000`. */
function findUser(text: string, start: number): Part | undefined {
  const limit = start + MAX_JUDGED;
  const from = isQuote(text.charCodeAt(start)) ? start + 1 : start;
  const colon = findRunEnd(
    text,
    from,
    (code) => code > 0x20 && code !== 0x3a && !isQuote(code) && code !== 0x2f,
    limit,
  );
  if (colon === from || text.charAt(colon) !== ':') return undefined;
  const { end } = readArgument(text, start);
  if (end <= colon + 1 || findRunEnd(text, colon + 1, isDigit, end) === end) return undefined;
  return isPlaceholder(text.slice(colon + 1, Math.min(end, colon + 1 + MAX_JUDGED)))
    ? undefined
    : { start: colon + 1, end };
}
