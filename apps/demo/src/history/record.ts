/**
 * `npm run record`: runs both releases of the shop with the SDK, simulates visitors, and stores the traces that the SDK
 * sends in `history.ndjson.br`, the initial data of the demo workspace. The visits are the same in each run;
 * durations depend on the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { readFields } from '../input.ts';
import { createRandom, pick } from '../random.ts';
import { RELEASES } from '../settings.ts';
import { CUSTOMERS, chooseCountry } from '../traffic/customers.ts';
import { ShopClient } from '../traffic/shop-client.ts';
import { USER_AGENTS } from '../traffic/steady.ts';
import { generateVisits, type Visit } from '../traffic/visits.ts';
import {
  HISTORY_FILE,
  packHistory,
  type RecordedTrace,
  type RecordedVisit,
  type ShopService,
} from './history.ts';
import { measureWork } from './machine-speed.ts';

const FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const SEED = 20_260_114;
const VISITS = 72;
/** Number of visits before recording starts. Requests are slower until the engine has compiled the shop's code. */
const WARM_UP_VISITS = 24;
/** Number of times that each visit is made. The fastest run is recorded, because slower runs waited for other work on this machine. */
const TRIES = 3;

interface Try {
  readonly requests: number;
  readonly tookMs: number;
}

const shops = await Promise.all(RELEASES.map((release) => openShop(release)));
// The two releases take turns, so that other work on this machine slows down both.
for (let visit = 0; visit < WARM_UP_VISITS + VISITS; visit += 1) for (const shop of shops) await shop.visit();
const recorded = (await Promise.all(shops.map((shop) => shop.close()))).flat();
const packed = packHistory({ workMs: measureWork(), visits: recorded });
await writeFile(HISTORY_FILE, packed);
process.stdout.write(`${recorded.length} visits, ${packed.length} bytes\n`);

/** Starts a release of the shop. */
async function openShop(release: (typeof RELEASES)[number]) {
  const collector = await startCollector();
  const shop = spawn(process.execPath, ['--import', '@throughline/node/auto', 'src/main.ts'], {
    cwd: FOLDER,
    env: {
      PATH: process.env.PATH,
      DEMO_PORT: '0',
      DEMO_TRAFFIC: 'off',
      DEMO_RELEASE: release,
      THROUGHLINE_URL: collector.url,
      THROUGHLINE_API_KEY: `tl_${'0'.repeat(40)}`,
      THROUGHLINE_SERVICE: 'shop',
      THROUGHLINE_RELEASE: release,
      THROUGHLINE_ENVIRONMENT: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = await once(shop, 'message');
  const baseUrl = String(readFields(message).url);
  const random = createRandom(SEED);
  const coming = generateVisits(random, CUSTOMERS[release]);
  const done: { readonly kind: Visit['kind']; readonly tries: readonly Try[] }[] = [];
  return {
    async visit(): Promise<void> {
      const visit = coming.next().value;
      const visitor = {
        userAgent: pick(random, USER_AGENTS),
        country: chooseCountry(visit.customer, random),
      };
      const tries: Try[] = [];
      for (let left = TRIES; left > 0; left -= 1) {
        let requests = 0;
        const pace = async () => {
          requests += 1;
        };
        const startMs = performance.now();
        await visit.run(new ShopClient({ baseUrl, ...visitor, pace, signal: AbortSignal.timeout(60_000) }));
        tries.push({ requests, tookMs: performance.now() - startMs });
      }
      done.push({ kind: visit.kind, tries });
    },
    /** Stops the shop. Returns the recorded visits without the warm-up visits. */
    async close(): Promise<RecordedVisit[]> {
      shop.kill('SIGTERM');
      await once(shop, 'exit');
      const traces = collector.close();
      const received = traces.length;
      const service = collector.service();
      const all = done.map(({ kind, tries }) => {
        const recordings = tries.map(({ requests }) => traces.splice(0, requests));
        const quickest = tries.findIndex(
          ({ tookMs }) => tookMs === Math.min(...tries.map((one) => one.tookMs)),
        );
        return { kind, service, traces: recordings[quickest] ?? [] };
      });
      const sent = done.flatMap(({ tries }) => tries).reduce((sum, { requests }) => sum + requests, 0);
      if (received !== sent) throw new Error(`${sent} requests were sent, and ${received} traces arrived`);
      return all.slice(WARM_UP_VISITS);
    },
  };
}

/** Starts a server that accepts traces as the product does. */
async function startCollector() {
  // Traces by id, because the SDK sends a trace again if a response is late.
  const traces = new Map<string, RecordedTrace>();
  let service: ShopService | undefined;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const whole = Buffer.concat(parts);
    const text = request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(whole) : whole;
    const body: { service: ShopService; traces: RecordedTrace[] } = JSON.parse(
      // Replaces the path of the shop's files on this machine.
      text.toString().replaceAll(ROOT, '/shop/'),
    );
    service ??= { ...body.service, instance: 'shop-1' };
    for (const trace of body.traces) traces.set(trace.spanId, trace);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ accepted: body.traces.length, rejected: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    service(): ShopService {
      if (service === undefined) throw new Error('the shop sent nothing');
      return service;
    },
    /** Stops the server. Returns the received traces in order of start time. */
    close(): RecordedTrace[] {
      server.close();
      return [...traces.values()].sort((a, b) => (a.timing.startTime < b.timing.startTime ? -1 : 1));
    },
  };
}
