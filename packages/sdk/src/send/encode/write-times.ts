import { buildFragment, type JsonWriter } from '../../record/writer/json-writer.ts';

const MICROS = 1_000_000;
const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const UTC = 0x5a;

let cachedSecond = Number.NaN;
let cachedText = buildFragment('');

/** Writes epoch µs as ISO 8601 UTC with six decimals, in quotes. The formatted second is cached, since most steps of a trace share it. */
export function writeInstant(writer: JsonWriter, epochMicros: number): void {
  const second = Math.floor(epochMicros / MICROS);
  if (second !== cachedSecond) {
    cachedText = buildFragment(`"${new Date(second * 1000).toISOString().slice(0, 20)}`);
    cachedSecond = second;
  }
  writer.fragment(cachedText);
  writeDigits(writer, Math.floor(epochMicros - second * MICROS), 6);
  writer.byte(UTC);
  writer.byte(QUOTE);
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
  const { bytes, end } = writer;
  let rest = value;
  for (let at = end + digits - 1; at >= end; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = ZERO + rest - next * 10;
    rest = next;
  }
  writer.end += digits;
}
