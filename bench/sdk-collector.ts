import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { countSpans } from './otlp-count.ts';

/** What arrived at the local collector, counted after the load so that counting does not compete with the server. */
export interface Arrived {
  /** Requests: native traces, or entry spans. */
  readonly traces: number;
  /** Steps below them; spans of any kind for OpenTelemetry. */
  readonly steps: number;
  /** Steps with values. */
  readonly withValues: number;
}

interface Packed {
  readonly path: string;
  readonly gzipped: boolean;
  readonly bytes: Buffer;
}

/** Takes what any of the tracers posts, and answers each in its own language. */
export class BenchCollector {
  #bodies: Packed[] = [];
  readonly #server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const bytes = Buffer.concat(chunks);
      this.#bodies.push({ path: req.url ?? '', gzipped: req.headers['content-encoding'] === 'gzip', bytes });
      const native = req.url === '/api/ingest/traces';
      res.writeHead(200, { 'content-type': native ? 'application/json' : 'application/x-protobuf' });
      res.end(native ? '{"accepted":1,"rejected":[]}' : undefined);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the collector has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  /** Bytes that came since the last {@link take}: steady when the tracer has sent all. */
  get bytes(): number {
    return this.#bodies.reduce((sum, body) => sum + body.bytes.length, 0);
  }

  /** What came since the last call. */
  take(): Arrived {
    const bodies = this.#bodies;
    this.#bodies = [];
    let traces = 0;
    let steps = 0;
    let withValues = 0;
    for (const body of bodies) {
      const bytes = body.gzipped ? gunzipSync(body.bytes) : body.bytes;
      if (body.path === '/api/ingest/traces') {
        const posted: Posted = JSON.parse(bytes.toString());
        traces += posted.traces.length;
        for (const { flow } of posted.traces) {
          steps += flow.length;
          for (const step of flow) if (step.variables !== undefined) withValues++;
        }
      } else if (body.path === '/v1/traces') {
        const spans = countSpans(bytes);
        traces += spans.entry;
        steps += spans.all;
      }
    }
    return { traces, steps, withValues };
  }
}

interface Posted {
  readonly traces: readonly { readonly flow: readonly { readonly variables?: unknown }[] }[];
}
