import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { IngestAnswer, routes } from '@throughline/contract';
import { z } from 'zod';
import { readSendSettings, type SendSettings } from '../platform/config.ts';
import { CommandFailed, type RunCommand, readFileArgument, say } from './command.ts';
import { readTraceLines } from './import-lines.ts';

/** Limits of one batch. The server accepts up to 64 MB and 10,000 traces at a time. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_LINES = 1000;
/** The import gives up on a server that has been busy for this long. */
const PATIENCE_MS = 5 * 60_000;
const REASONS_SHOWN = 10;

const pack = promisify(gzip);

export const importTraces: RunCommand = async (args) => {
  const file = readFileArgument(args);
  const settings = readSendSettings();
  if (settings.apiKey === undefined || settings.apiKey === '') {
    throw new CommandFailed('Set THROUGHLINE_API_KEY to the API key of the target project.');
  }
  if (file !== '-' && !existsSync(file)) throw new CommandFailed(`There is no file ${resolve(file)}.`);
  const source = file === '-' ? process.stdin : createReadStream(file);
  let accepted = 0;
  const refused = new RefusedLines();
  try {
    for await (const batch of readBatches(source, refused)) {
      const answer = await send(settings, batch);
      accepted += answer.accepted;
      for (const { index, message } of answer.rejected)
        refused.add(batch.numbers[index] ?? 0, message.replace(/^traces\[\d+\]\.?/, ''));
    }
  } catch (error) {
    if (refused.count > 0) process.stderr.write(`${refused.describe()}\n`);
    throw error;
  }
  say(`${accepted} ${accepted === 1 ? 'trace was' : 'traces were'} imported.`);
  if (refused.count > 0) throw new CommandFailed(refused.describe());
};

/**
 * The lines that were not imported. Keeps the reasons only of the `REASONS_SHOWN` refused lines with the lowest line numbers. Lines can be
 * refused in any order.
 */
class RefusedLines {
  readonly #first: { readonly number: number; readonly reason: string }[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(number: number, reason: string): void {
    this.#count += 1;
    this.#first.push({ number, reason });
    this.#first.sort((a, b) => a.number - b.number);
    if (this.#first.length > REASONS_SHOWN) this.#first.pop();
  }

  describe(): string {
    const lines = this.#first.map(({ number, reason }) => `line ${number}: ${reason}`);
    const more = this.#count > lines.length ? `\n… and ${this.#count - lines.length} more` : '';
    return `${this.#count} of the lines were not accepted:\n${lines.join('\n')}${more}`;
  }
}

interface Batch {
  readonly lines: string[];
  /** Line numbers in the file, starting from 1. */
  readonly numbers: number[];
}

/** Groups the lines into batches, and refuses each line that cannot be sent. */
async function* readBatches(source: Readable, refused: RefusedLines): AsyncGenerator<Batch> {
  let batch: Batch = { lines: [], numbers: [] };
  let batchBytes = 0;
  for await (const { number, text, fault } of readTraceLines(source)) {
    if (fault !== undefined) {
      refused.add(number, fault);
      continue;
    }
    const lineBytes = Buffer.byteLength(text);
    if (
      batch.numbers.length > 0 &&
      (batchBytes + lineBytes > MAX_BATCH_BYTES || batch.numbers.length === MAX_BATCH_LINES)
    ) {
      yield batch;
      batch = { lines: [], numbers: [] };
      batchBytes = 0;
    }
    batch.lines.push(text);
    batch.numbers.push(number);
    batchBytes += lineBytes;
  }
  if (batch.numbers.length > 0) yield batch;
}

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * Sends the batch. While the server is busy, waits for the time in its response and sends the batch again, for at most `PATIENCE_MS` in
 * total. The server recognizes traces that an earlier attempt stored, and does not store them twice.
 */
async function send(settings: SendSettings, { lines, numbers }: Batch): Promise<IngestAnswer> {
  const body = await pack(lines.join('\n'));
  const givenUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(settings.url + routes.ingest.traces.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
        'x-api-key': settings.apiKey ?? '',
      },
      body,
    }).catch((cause: unknown) => {
      throw new CommandFailed(
        `The server at ${settings.url} cannot be reached. Is THROUGHLINE_URL correct?`,
        {
          cause,
        },
      );
    });
    const text = await answer.text();
    if (answer.ok) return IngestAnswer.parse(JSON.parse(text));
    const refusal = Refusal.safeParse(parseJson(text)).data?.error;
    const retryMs = Number(answer.headers.get('retry-after')) * 1000;
    const mayRetry = answer.status === 503 || refusal?.code === 'too_many_requests';
    if (mayRetry && retryMs > 0 && Date.now() + retryMs < givenUpAt) {
      await wait(retryMs);
      continue;
    }
    const why = refusal?.message ?? `the server responded with ${answer.status}`;
    throw new CommandFailed(`The server did not accept lines ${numbers[0]} to ${numbers.at(-1)}: ${why}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
