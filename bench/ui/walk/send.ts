import { gzipSync } from 'node:zlib';
import { IngestAnswer } from '@throughline/contract';
import type { ServerProcess } from '../../lib/server-process.ts';
import { buildRequests } from './requests.ts';

const BATCH = 1000;

/** Sends the requests of {@link buildRequests} to the server, which then lists the last of them first. */
export async function sendRequests(server: ServerProcess): Promise<void> {
  for (const { release, traces } of buildRequests(new Date())) {
    for (let from = 0; from < traces.length; from += BATCH) {
      const batch = traces.slice(from, from + BATCH);
      const service = { name: 'shop', environment: 'production', release };
      const answer = await fetch(`${server.url}/api/ingest/traces`, {
        method: 'POST',
        headers: {
          'x-api-key': server.apiKey,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync(JSON.stringify({ service, traces: batch })),
      });
      const { accepted } = IngestAnswer.parse(await answer.json());
      if (accepted !== batch.length) throw new Error(`${accepted} of ${batch.length} traces were accepted`);
    }
  }
}
