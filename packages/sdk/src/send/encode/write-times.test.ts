import { expect, it } from 'vitest';
import { JsonWriter } from '../../record/writer/json-writer.ts';
import { takeTimed, writeStartAndEnd, writeTimed } from './write-times.ts';

const PLACE = '{"stepName":"pay"';
/** 2026-11-29T10:00:00Z in epoch µs. */
const HOUR = 1_795_946_400_000_000;

/** Pairs of times that are written one after the other. */
const TIMES: readonly (readonly [startMicros: number, endMicros: number])[] = [
  [HOUR + 123_456, HOUR + 123_456],
  [HOUR, HOUR + 999_999],
  [HOUR + 999_999, HOUR + 1_000_000],
  [HOUR + 1_000_000, HOUR + 1_000_007],
  [HOUR + 86_400_000_001, HOUR + 86_400_500_000],
  [HOUR + 5, HOUR + 60],
  [HOUR - 2, HOUR - 1],
  [0, 1],
];

function read(writer: JsonWriter): string {
  return writer.bytes.toString('utf8', 0, writer.end);
}

it('times that are written over the times of another step are the same as if they were written alone', () => {
  const writer = new JsonWriter(16);
  writer.ascii(PLACE);
  const timed = takeTimed(writer, 0);
  expect(read(writer)).toBe(PLACE);
  for (const [start, end] of TIMES) {
    const alone = new JsonWriter(16);
    alone.ascii(PLACE);
    writeStartAndEnd(alone, start, end);
    const written = new JsonWriter(16);
    writeTimed(written, timed, start, end);
    expect(read(written)).toBe(read(alone));
  }
});
