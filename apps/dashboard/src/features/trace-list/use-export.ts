import { notifications } from '@mantine/notifications';
import { ApiError, routes } from '@throughline/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../shell/api.ts';
import { saveFile } from '../../ui/save-file.ts';
import type { ListFilters } from './queries.ts';

/** How far it is, is written so often. Milliseconds. */
const WRITTEN_EVERY_MS = 250;

interface Export {
  /** What has arrived so far; undefined where nothing is being exported. */
  readonly bytes: number | undefined;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Fetches every trace that matches, as a file to save. Leaving the page gives it up. */
export function useExport(filters: ListFilters): Export {
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = () => {
    const given = new AbortController();
    running.current = given;
    setBytes(0);
    readLines(filters, given.signal, setBytes)
      .then(
        (content) => saveFile(content, fileName(new Date())),
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

async function readLines(
  filters: ListFilters,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const answer = await api.open(routes.traces.export, { query: filters, signal });
  let [bytes, written] = [0, performance.now()];
  const counted = answer.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        controller.enqueue(part);
        bytes += part.length;
        if (performance.now() - written < WRITTEN_EVERY_MS) return;
        written = performance.now();
        onBytes(bytes);
      },
    }),
  );
  // The browser keeps what is large on its disk, not in the page's memory.
  return new Response(counted ?? null, { headers: { 'content-type': 'application/x-ndjson' } }).blob();
}

/** `traces-2026-01-31-1402.ndjson`, in UTC. */
function fileName(now: Date): string {
  const [day, time = ''] = now.toISOString().split('T');
  return `traces-${day}-${time.slice(0, 5).replace(':', '')}.ndjson`;
}

function sayWhy(error: unknown): void {
  const why =
    error instanceof ApiError ? error.message : 'The connection was cut before all traces were here.';
  notifications.show({ message: `Nothing was exported. ${why}`, color: 'red' });
}
