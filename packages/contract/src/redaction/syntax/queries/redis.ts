import { isPlaceholder } from '../../shapes/plausible.ts';
import type { Part, TextScan } from '../../texts/scan.ts';

const VALUE = String.raw`\s(?:"([^"\r\n‹]{3,256})"|([^\s"‹=]{3,256}))(?=\s|$)`;
/** A command that stores a value under a key: `SET user:7:password X`, `SETEX token:ann 60 X`. */
const STORE = new RegExp(
  String.raw`^(?:(?:SET|SETNX|GETSET|APPEND)\s"?([\w.@{}-]*:[\w.:@{}-]{1,160})"?|P?SETEX\s"?([\w.@{}-]*:[\w.:@{}-]{1,160})"?\s\d{1,12})${VALUE}`,
  'i',
);
/** A command that stores fields of a hash: `HSET user:7 password X`. */
const HASH = /^H(?:SET|MSET|SETNX)\s\S{1,160}\s/i;
const FIELD = new RegExp(String.raw`^([\w.-]{0,32})"?${VALUE}`);
/** A command in the output of `MONITOR`: `1700000000.1 [0 10.0.0.1:5000] "SET" "user:7:token" "X"`. */
const MONITORED =
  /^\d{10}\.\d{1,6} \[[^\]\r\n]{1,64}\] "(?:SET|SETNX|GETSET|APPEND|P?SETEX)" "([\w.@{}-]*:[\w.:@{}-]{1,160})"(?: "\d{1,12}")? "([^"\r\n‹]{3,256})"/i;
const MAX_COMMAND = 460;
/**
 * The character `1`, with which the times of `MONITOR` begin. Setting the bit 0x20, which converts letters to lower case, does not change
 * it.
 */
const DIGIT_ONE = 0x31;
/** Maximum distance of the name from the beginning of the command. */
const MAX_START = 200;

/** Finds the value that a command of Redis stores under a secret's name. The name contains the word from `start` to `end`. */
export function findStored({ text, names }: TextScan, start: number, end: number): Part | undefined {
  const first = text.charCodeAt(0) | 0x20;
  if (
    (first !== DIGIT_ONE &&
      first !== 0x73 &&
      first !== 0x61 &&
      first !== 0x67 &&
      first !== 0x68 &&
      first !== 0x70) ||
    end > MAX_START
  )
    return undefined;
  const isSecret = (name: string) => names.judge(name) !== 'plain';
  if (first === DIGIT_ONE) {
    const monitored = MONITORED.exec(text.slice(0, MAX_COMMAND));
    return monitored?.[1]?.split(':').some(isSecret) === true
      ? toPart(0, monitored, monitored[2])
      : undefined;
  }
  const stored = STORE.exec(text.slice(0, MAX_COMMAND));
  if (stored !== null) {
    const key = stored[1] ?? stored[2] ?? '';
    return end <= 24 + key.length && key.split(':').some(isSecret)
      ? toPart(0, stored, stored[3] ?? stored[4])
      : undefined;
  }
  if (!/[\s"]/.test(text.charAt(start - 1)) || !HASH.test(text.slice(0, 180))) return undefined;
  const field = FIELD.exec(text.slice(end, end + 300));
  return field !== null && isSecret(text.slice(start, end) + (field[1] ?? ''))
    ? toPart(end, field, field[2] ?? field[3])
    : undefined;
}

function toPart(from: number, found: RegExpExecArray, value: string | undefined): Part | undefined {
  if (value === undefined || isPlaceholder(value)) return undefined;
  const start = from + found[0].lastIndexOf(value);
  return { start, end: start + value.length };
}
