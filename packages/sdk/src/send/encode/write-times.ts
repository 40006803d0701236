import type { TimedJson } from '../../record/types.ts';
import { buildFragment, type Fragment, type JsonWriter } from '../../record/writer/json-writer.ts';

const MICROS = 1_000_000;
const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const UTC = 0x5a;
const startIs = buildFragment(',"startTime":');
const endIs = buildFragment(',"endTime":');

let cachedSecond = Number.NaN;
let cachedText = buildFragment('');

/** The JSON of a step's start and end, with placeholder times. The digits are overwritten in place. */
const TIMES = ',"startTime":"2000-01-01T00:00:00.000000Z","endTime":"2000-01-01T00:00:00.000000Z"';
const TIMES_SIZE = TIMES.length;
const START = TIMES.indexOf('"2');
const END = TIMES.lastIndexOf('"2');
/** Length of a time in whole seconds, with the quote before it and the point after it. */
const SECOND_SIZE = 21;

/** Appends times to the JSON that was written from `start` on, takes a copy, and removes the times again. */
export function takeTimed(writer: JsonWriter, start: number): TimedJson {
  const { end } = writer;
  writer.ascii(TIMES);
  const json = writer.since(start);
  writer.end = end;
  return { json, second: Number.NaN };
}

/**
 * Writes `timed` with the given times in epoch µs. Most steps start and end in the same second as the step before them, so only the digits
 * below the second are overwritten.
 */
export function writeTimed(
  writer: JsonWriter,
  timed: TimedJson,
  startMicros: number,
  endMicros: number,
): void {
  const { json } = timed;
  const second = Math.floor(startMicros / MICROS);
  if (Math.floor(endMicros / MICROS) !== second) {
    writer.fragment(json);
    writer.end -= TIMES_SIZE;
    writeStartAndEnd(writer, startMicros, endMicros);
    return;
  }
  if (timed.second !== second) {
    const { bytes, size } = formatSecond(second);
    for (let at = 0; at < size; at++) {
      json.bytes[json.size - TIMES_SIZE + START + at] = bytes[at] ?? 0;
      json.bytes[json.size - TIMES_SIZE + END + at] = bytes[at] ?? 0;
    }
    timed.second = second;
  }
  writer.fragment(json);
  const times = writer.end - TIMES_SIZE;
  setDigits(writer.bytes, times + START + SECOND_SIZE, Math.floor(startMicros - second * MICROS), 6);
  setDigits(writer.bytes, times + END + SECOND_SIZE, Math.floor(endMicros - second * MICROS), 6);
}

export function writeStartAndEnd(writer: JsonWriter, startMicros: number, endMicros: number): void {
  writer.fragment(startIs);
  writeInstant(writer, startMicros);
  writer.fragment(endIs);
  writeInstant(writer, endMicros);
}

/** Writes epoch µs as ISO 8601 UTC with six decimals, in quotes. The formatted second is cached, since most steps of a trace share it. */
function writeInstant(writer: JsonWriter, epochMicros: number): void {
  const second = Math.floor(epochMicros / MICROS);
  writer.fragment(formatSecond(second));
  writeDigits(writer, Math.floor(epochMicros - second * MICROS), 6);
  writer.byte(UTC);
  writer.byte(QUOTE);
}

function formatSecond(second: number): Fragment {
  if (second !== cachedSecond) {
    cachedText = buildFragment(`"${new Date(second * 1000).toISOString().slice(0, 20)}`);
    cachedSecond = second;
  }
  return cachedText;
}

/** Writes a duration in milliseconds, with three decimals at most. */
export function writeMilliseconds(writer: JsonWriter, ms: number): void {
  const micros = Math.round(ms * 1000);
  // Integer arithmetic, which is used otherwise, is faster but works only for durations below 1,000 s.
  if (!(micros >= 0 && micros < MICROS * 1000)) {
    writer.number(ms);
    return;
  }
  const fraction = micros % 1000;
  writer.integer((micros - fraction) / 1000);
  if (fraction === 0) return;
  writer.byte(POINT);
  if (fraction % 100 === 0) writeDigits(writer, fraction / 100, 1);
  else if (fraction % 10 === 0) writeDigits(writer, fraction / 10, 2);
  else writeDigits(writer, fraction, 3);
}

function writeDigits(writer: JsonWriter, value: number, digits: number): void {
  writer.reserve(digits);
  setDigits(writer.bytes, writer.end, value, digits);
  writer.end += digits;
}

function setDigits(bytes: Uint8Array, start: number, value: number, digits: number): void {
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = ZERO + rest - next * 10;
    rest = next;
  }
}
