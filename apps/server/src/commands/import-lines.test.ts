import { Readable } from 'node:stream';
import { INGEST_LIMITS } from '@throughline/contract';
import { expect, test } from 'vitest';
import { readTraceLines } from './import-lines.ts';

const MB = 1024 * 1024;

async function read(pieces: Iterable<Buffer>) {
  const found: string[] = [];
  for await (const { number, text, fault } of readTraceLines(Readable.from(pieces)))
    found.push(`${number} ${fault ?? text}`);
  return found;
}

test('all lines are read, wherever the file is split into two chunks, even inside a character', async () => {
  const file = Buffer.from('\uFEFF{"a":"é"}\r\n\n \t\n["𝄞"]\n{}');
  for (let at = 0; at <= file.length; at += 1) {
    const found = await read([file.subarray(0, at), file.subarray(at)]);
    expect(found).toEqual(['1 {"a":"é"}\r', '4 ["𝄞"]', '5 {}']);
  }
});

test('a line that is longer than a server accepts is refused, and the next line is read', async () => {
  const piece = Buffer.alloc(MB, 'x');
  const maxPieces = INGEST_LIMITS.unpackedBytes.max / MB;
  const longest = [Buffer.from('"'), ...Array(maxPieces - 1).fill(piece), Buffer.from('"\n{}')];
  const [first, second] = await read(longest);
  expect([first?.length, second]).toEqual(['1 ""'.length + (maxPieces - 1) * MB, '2 {}']);
  expect(await read([...Array(maxPieces).fill(piece), Buffer.from('x\n{}')])).toEqual([
    expect.stringMatching(/^1 is longer than 64 MB/),
    '2 {}',
  ]);
});
