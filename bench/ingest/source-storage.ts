/**
 * bench:source-storage: measures the storage for source text, compared with the storage for the traces.
 *
 * Recipe. A real server receives 4,000 generated traces of 20 steps (30 kB of JSON each) in batches of 25. In a second run, each trace also
 * names ten source files with their versions. The first trace and every 800th also contain the source text of 60 functions with 15 lines
 * each. This corresponds to a service that sends traces for some hours. After the server has exited, the sizes of the active ClickHouse
 * parts of traces, steps and source texts are added up.
 *
 *   npm run bench:source-storage [-- --json FILE]
 */
import { z } from 'zod';
import { withEngine } from '../lib/engine.ts';
import { figure, report } from '../lib/figures.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { type GeneratedTrace, generateTraces } from '../lib/trace-generator.ts';

const TRACES = 4000;
const BATCH = 25;
/** Number of traces after which the source text of functions is sent again, as a real service does after an hour. */
const SENT_AGAIN = 800;
const FILES = 10;
const FUNCTIONS = 6;
const LINES = 15;
const ROUNDS = 3;

const Size = z.object({ bytes: z.coerce.number() });

function buildFunction(file: number, index: number): { readonly line: number; readonly text: string } {
  const lines = Array.from(
    { length: LINES },
    (_line, at) =>
      `  const value${at} = await load${file}(order.items[${at}], { tax: rates.get(country${index}) });`,
  );
  return {
    line: 1 + index * (LINES + 3),
    text: `async function step${index}(order) {\n${lines.join('\n')}\n}`,
  };
}

function buildSources(withText: boolean) {
  return Array.from({ length: FILES }, (_file, at) => ({
    file: `src/orders/part-${at}.ts`,
    version: `aB3_-9xyz0${at}z`,
    ...(withText && {
      functions: Array.from({ length: FUNCTIONS }, (_one, index) => buildFunction(at, index)),
    }),
  }));
}

async function measureBytes(seed: number, hasSources: boolean): Promise<number> {
  const server = await startServerProcess();
  try {
    const traces = generateTraces(seed, Date.now);
    for (let sent = 0; sent < TRACES; sent += BATCH) {
      const batch: GeneratedTrace[] = Array.from({ length: BATCH }, () => traces.next().value);
      const body = batch.map((trace, at) =>
        hasSources ? { ...trace, sources: buildSources((sent + at) % SENT_AGAIN === 0) } : trace,
      );
      const answer = await fetch(`${server.url}/api/ingest/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
        body: JSON.stringify({ service: { name: 'shop' }, traces: body }),
      });
      if (!answer.ok) throw new Error(`a batch was answered ${answer.status}: ${await answer.text()}`);
    }
    await server.stop();
    return await withEngine(server.dataDir, async (client) => {
      const rows = await client.query({
        query: `SELECT sum(bytes_on_disk) AS bytes FROM system.parts
                WHERE active AND database = currentDatabase() AND table IN ('traces', 'steps', 'sources')`,
        format: 'JSONEachRow',
      });
      return z.array(Size).parse(await rows.json())[0]?.bytes ?? 0;
    });
  } finally {
    await server.removeFolder();
  }
}

const growth: number[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  const [plain, sources] = [await measureBytes(round, false), await measureBytes(round, true)];
  growth.push((sources / plain - 1) * 100);
  process.stdout.write(
    `round ${round}: ${(plain / TRACES).toFixed(0)} bytes a trace, with source text ${(sources / TRACES).toFixed(0)}\n`,
  );
}
await report(
  'source-storage',
  [figure('space of traces with source text: grown', '%', growth, '<= 3')],
  process.argv.slice(2),
);
