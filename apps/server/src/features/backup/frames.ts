import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '../../platform/operator-error.ts';

/** Thrown if the file is not a backup, or is incomplete. */
export class BadBackup extends OperatorError {
  override readonly name = 'BadBackup';
}

const Counts = z.record(z.string(), z.number());

/** The head of a backup: all data needed before its first row can be restored. */
const Head = z.object({
  throughline: z.literal('backup'),
  format: z.literal(1),
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The newest migrations applied to the backup's tables. */
  controlMigration: z.string(),
  traceMigration: z.number(),
  /** A fingerprint of the secret. It shows whether the secret changed, but does not reveal it. */
  secretMark: z.string(),
  /** The secret in base64 if the server generated it; undefined if the operator manages it. */
  secret: z.string().optional(),
});
export type BackupHead = z.output<typeof Head>;

/** Some rows of one table. */
const Rows = z.object({
  store: z.enum(['control', 'traces']),
  table: z.string().regex(/^\w+$/),
  columns: z.array(z.string().regex(/^\w+$/)),
  rows: z.number(),
  bytes: z.number(),
});

/** The end of a backup: the number of rows of each table, empty tables included. */
const End = z.object({ end: z.object({ control: Counts, traces: Counts }) });
export type BackupCounts = z.output<typeof End>['end'];

/** Rows of one table. `text` has one line per row: JSON for the control store, TabSeparated for the trace store. */
export interface RowsFrame {
  readonly store: 'control' | 'traces';
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly text: Buffer;
}

/** Maximum length of a line in a backup, in bytes. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_PIECE_BYTES = 512 * 1024 * 1024;

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);
/** The checksum detects a bit that changed on the disk. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Encodes the first or the last line of a backup. A backup consists of lines of JSON. After a line with the member `bytes`, this number of
 * bytes follows, compressed with zstd.
 */
export function encodeLine(value: BackupHead | { readonly end: BackupCounts }): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export async function encodeFrame({ text, ...described }: RowsFrame): Promise<Buffer> {
  const packed = await pack(text, PACKING);
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...described, bytes: packed.length })}\n`), packed]);
}

export type BackupPart = BackupHead | RowsFrame | { readonly end: BackupCounts };

/**
 * Yields the parts of a backup in order: its head, its rows, its end.
 * @throws BadBackup if the file is not a backup, is incomplete or was changed
 */
export async function* readParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const input = new Input(pieces);
  yield read(Head, await input.line());
  for (;;) {
    const line = await input.line();
    const end = End.safeParse(line);
    if (end.success) {
      yield end.data;
      return;
    }
    const { bytes, ...described } = read(Rows, line);
    const packed = await input.bytes(bytes);
    const text = await unpack(packed, { maxOutputLength: MAX_PIECE_BYTES }).catch((cause: unknown) => {
      throw new BadBackup(`The backup is damaged in the table ${described.table}.`, { cause });
    });
    yield { ...described, text };
  }
}

function read<S extends z.ZodType>(schema: S, line: unknown): z.output<S> {
  const parsed = schema.safeParse(line);
  if (!parsed.success)
    throw new BadBackup('This is not a backup of Throughline, or it was made by a newer version.');
  return parsed.data;
}

/** Reads lines, or a given number of bytes, from a stream that arrives in pieces of any size. */
class Input {
  readonly #pieces: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async line(): Promise<unknown> {
    let end = this.#left.indexOf(10);
    while (end < 0) {
      if (this.#left.length > MAX_LINE_BYTES) throw new BadBackup('This is not a backup of Throughline.');
      await this.#more(1);
      end = this.#left.indexOf(10);
    }
    const text = this.#left.subarray(0, end).toString();
    this.#left = this.#left.subarray(end + 1);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new BadBackup('This is not a backup of Throughline.', { cause });
    }
  }

  async bytes(count: number): Promise<Buffer> {
    if (count > MAX_PIECE_BYTES) throw new BadBackup('This is not a backup of Throughline.');
    if (this.#left.length < count) await this.#more(count - this.#left.length);
    const taken = this.#left.subarray(0, count);
    this.#left = this.#left.subarray(count);
    return taken;
  }

  async #more(count: number): Promise<void> {
    const pieces = [this.#left];
    let come = 0;
    while (come < count) {
      const { done, value } = await this.#pieces.next();
      if (done === true) throw new BadBackup('The backup is incomplete: its end is missing.');
      pieces.push(value);
      come += value.length;
    }
    this.#left = Buffer.concat(pieces);
  }
}
