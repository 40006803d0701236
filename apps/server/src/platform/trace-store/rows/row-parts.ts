const LINE_END = 0x0a;
const TAB = 0x09;

/** Returns the first `count` rows. The result shares the memory of `rows`. */
export function takeRows(rows: Buffer, count: number): Buffer {
  let end = 0;
  for (let row = 0; row < count; row += 1) end = rows.indexOf(LINE_END, end) + 1;
  return rows.subarray(0, end);
}

/** Returns the first fields of a row without decoding the others, because megabytes of captured values can follow. */
export function readFirstFields(row: Buffer, count: number): string[] {
  let end = 0;
  for (let column = 0; column < count; column++) {
    end = row.indexOf(TAB, end) + 1;
    if (end === 0) throw new RangeError('a row has fewer columns than its table');
  }
  return row.toString('utf8', 0, end - 1).split('\t');
}

/** Splits a stream of rows into other chunks, so that each chunk ends with a complete row. */
export async function* splitAfterRows(pieces: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('the response consists of strings instead of bytes');
    const end = piece.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      yield Buffer.concat([...rest, piece.subarray(0, end)]);
      rest = [];
    }
    if (end < piece.length) rest.push(piece.subarray(end));
  }
  if (rest.length > 0) throw new Error('the response was cut off');
}
