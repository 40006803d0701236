import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answer, Collector, type Received, type Reply } from '@throughline/testkit/collector';
import { type Arrived, countAppMap, countPost, sumArrived } from './arrived.ts';
import type { Outlet } from './modes.ts';

/** Responds to each tracer in its own protocol without parsing the body. Bodies are counted after the load. */
const takeUnread: Reply = (response, { path }) => {
  if (path === '/api/ingest/traces') answer(response, 200, '{"accepted":1,"rejected":[]}');
  else if (path === '/v1/traces') answer(response, 200, '', { 'content-type': 'application/x-protobuf' });
  else if (path === '/v0.4/traces') answer(response, 200, '{"rate_by_service":{}}');
  else if (path === '/intake/v2/events') answer(response, 202, '');
  // Elastic's agent asks for the version of its server.
  else answer(response, 200, path === '/' ? '{"version":"8.17.0"}' : '{}');
};

/** Receives what the tracers send, and reads the folder of the tracer that writes files. */
export class BenchCollector {
  readonly #collector = new Collector(takeUnread);
  readonly #folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'));

  async start(): Promise<Outlet> {
    const fixtures = join(import.meta.dirname, '../fixtures');
    const path = JSON.stringify(fixtures);
    writeFileSync(
      join(this.#folder, 'appmap.yml'),
      `name: bench\nlanguage: javascript\npackages:\n  - path: ${path}\n`,
    );
    return { address: await this.#collector.start(), folder: this.#folder };
  }

  async stop(): Promise<void> {
    await this.#collector.stop();
    rmSync(this.#folder, { recursive: true });
  }

  /** Number of bytes and files received so far. It stops growing when the tracer has sent everything. */
  get amount(): number {
    return this.#collector.bytes + this.#files().length;
  }

  /** Returns the bodies that arrived since the last call, and removes them without counting them. */
  takePosts(): Received[] {
    return this.#collector.take();
  }

  /** Counts everything that arrived since the last call, and removes it. */
  take(): Arrived {
    const posts = this.#collector.take().map(countPost);
    const files = this.#files().map((file) => {
      const arrived = countAppMap(readFileSync(file, 'utf8'));
      rmSync(file);
      return arrived;
    });
    return sumArrived([...posts, ...files]);
  }

  #files(): string[] {
    return readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.appmap.json'))
      .map((file) => join(this.#folder, file));
  }
}
