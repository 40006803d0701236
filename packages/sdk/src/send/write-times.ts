import { fragment, type JsonTape } from '../record/json-tape.ts';

const MICROS = 1_000_000;
const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const UTC = 0x5a;

let cachedSecond = Number.NaN;
let cachedText = fragment('');

/** Epoch µs as ISO 8601 UTC with six decimals, in quotes. The text of the second is kept: a trace's steps mostly share one. */
export function writeInstant(tape: JsonTape, epochMicros: number): void {
  const second = Math.floor(epochMicros / MICROS);
  if (second !== cachedSecond) {
    cachedText = fragment(`"${new Date(second * 1000).toISOString().slice(0, 20)}`);
    cachedSecond = second;
  }
  tape.fragment(cachedText);
  writeDigits(tape, Math.floor(epochMicros - second * MICROS), 6);
  tape.byte(UTC);
  tape.byte(QUOTE);
}

/** Milliseconds with µs precision. */
export function writeMilliseconds(tape: JsonTape, ms: number): void {
  const micros = Math.round(ms * 1000);
  // Some twenty minutes: up to there whole numbers are the quicker way.
  if (!(micros >= 0 && micros < MICROS * 1000)) {
    tape.number(ms);
    return;
  }
  const fraction = micros % 1000;
  tape.integer((micros - fraction) / 1000);
  if (fraction === 0) return;
  tape.byte(POINT);
  if (fraction % 100 === 0) writeDigits(tape, fraction / 100, 1);
  else if (fraction % 10 === 0) writeDigits(tape, fraction / 10, 2);
  else writeDigits(tape, fraction, 3);
}

function writeDigits(tape: JsonTape, value: number, digits: number): void {
  tape.reserve(digits);
  const { bytes, end } = tape;
  let rest = value;
  for (let at = end + digits - 1; at >= end; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = ZERO + rest - next * 10;
    rest = next;
  }
  tape.end += digits;
}
