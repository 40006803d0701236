import { notifications } from '@mantine/notifications';
import { ApiError, formatCount, routes } from '@throughline/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../shell/api.ts';
import { saveFile } from '../../../ui/copying/save-file.ts';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import type { ListFilters } from '../queries.ts';
import type { Exported } from './exported.ts';

/** The interval at which the progress is updated. Milliseconds. */
const WRITTEN_EVERY_MS = 250;

interface Export {
  /** The bytes received so far; undefined if no export is running. */
  readonly bytes: number | undefined;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Exports traces to a file that the browser saves. Leaving the page cancels the export. */
export function useExport({ queries, expected }: Exported): Export {
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = () => {
    const given = new AbortController();
    running.current = given;
    setBytes(0);
    readAll(queries, given.signal, setBytes)
      .then(
        ({ content, lines }) => {
          saveFile(content, formatFileName(new Date()));
          if (expected !== undefined && lines < expected) sayMissing(expected - lines);
        },
        (error: unknown) => {
          if (!given.signal.aborted) sayWhy(error);
        },
      )
      .finally(() => {
        if (running.current === given) setBytes(undefined);
      });
  };
  return { bytes, start, stop: () => running.current?.abort() };
}

const TYPE = 'application/x-ndjson';
const LINE_END = 10;

interface Progress {
  bytes: number;
  lines: number;
  writtenAt: number;
}

/** Runs the queries one after the other and joins their responses. */
async function readAll(
  queries: readonly ListFilters[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<{ readonly content: Blob; readonly lines: number }> {
  const progress: Progress = { bytes: 0, lines: 0, writtenAt: performance.now() };
  const parts: Blob[] = [];
  for (const query of queries) parts.push(await readLines(query, signal, progress, onBytes));
  return { content: new Blob(parts, { type: TYPE }), lines: progress.lines };
}

async function readLines(
  query: ListFilters,
  signal: AbortSignal,
  progress: Progress,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const answer = await api.open(routes.traces.export, { query, signal });
  const counted = answer.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        controller.enqueue(part);
        progress.bytes += part.length;
        for (let at = part.indexOf(LINE_END); at >= 0; at = part.indexOf(LINE_END, at + 1))
          progress.lines += 1;
        if (performance.now() - progress.writtenAt < WRITTEN_EVERY_MS) return;
        progress.writtenAt = performance.now();
        onBytes(progress.bytes);
      },
    }),
  );
  // The browser stores a large blob on disk, not in the page's memory.
  return new Response(counted ?? null, { headers: { 'content-type': TYPE } }).blob();
}

/** Returns a file name such as `traces-2026-01-31-1402.ndjson`, with the time in UTC. */
function formatFileName(now: Date): string {
  const [day, time = ''] = now.toISOString().split('T');
  return `traces-${day}-${time.slice(0, 5).replace(':', '')}.ndjson`;
}

function sayMissing(count: number): void {
  notifications.show({
    message:
      count === 1
        ? 'One selected trace no longer exists and is not in the file.'
        : `${formatCount(count)} selected traces no longer exist and are not in the file.`,
  });
}

function sayWhy(error: unknown): void {
  const why =
    error instanceof ApiError ? error.message : 'The connection was lost before the export finished.';
  notifyFailure(`Nothing was exported. ${why}`, error);
}
