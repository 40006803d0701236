import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, openSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';

/**
 * Streams rows to `read` through a named pipe, compressed with gzip. A stream that is cut off has no gzip
 * trailer, so the reader gets an error instead of partial rows. Settles like `read`.
 */
export async function withRowsPipe<T>(rows: Readable, read: (path: string) => Promise<T>): Promise<T> {
  // The stream can fail before it is read. Without this listener, the process would then end.
  rows.on('error', () => {});
  const path = join(tmpdir(), `throughline-rows-${randomUUID()}`);
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  const state = { isRead: false };
  const reading = read(path).finally(() => {
    state.isRead = true;
  });
  // If writing fails, reading fails too, and reports the error.
  const writing = writeRows(path, rows, state).catch(() => {});
  try {
    return await reading;
  } finally {
    // Discards the unread rows of a rejected insert.
    rows.resume();
    await writing;
    await unlink(path);
  }
}

async function writeRows(path: string, rows: Readable, state: { readonly isRead: boolean }): Promise<void> {
  const fd = await openForWriting(path, state);
  if (fd !== undefined)
    await pipeline(rows, createGzip({ level: 1 }), new Socket({ fd, readable: false, writable: true }));
}

/**
 * Opens the pipe without blocking, since a blocking open would occupy a thread that other work needs. Returns undefined if the reader ended
 * without opening the pipe.
 */
async function openForWriting(
  path: string,
  state: { readonly isRead: boolean },
): Promise<number | undefined> {
  while (!state.isRead) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error;
      await pause(1);
    }
  }
  return undefined;
}
