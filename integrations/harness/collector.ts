import { createServer, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A step as it was posted: what the tests look at. */
export interface PostedStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly stepName: string;
  readonly stepType: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  readonly functionName?: string;
  readonly filePath?: string;
  readonly lineNumber?: number;
  readonly inputs?: unknown;
  readonly outputs?: unknown;
  readonly variables?: {
    readonly capturedAt: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly localVariables: Readonly<Record<string, unknown>>;
    readonly returnValue?: unknown;
    readonly thisContext?: unknown;
  };
  readonly error?: {
    readonly message: string;
    readonly name?: string;
    readonly stack?: string;
    readonly code?: string;
  };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PostedTrace {
  readonly _id: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly route?: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly query?: unknown;
    readonly body?: unknown;
  };
  readonly response: { readonly statusCode?: number; readonly body?: unknown };
  readonly timing: { readonly startTime: string; readonly duration: number };
  readonly error: {
    readonly hasError: boolean;
    readonly errorMessage: string | null;
    readonly errorCode: string | null;
  };
  readonly user?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly flow: readonly PostedStep[];
  readonly dropped?: { readonly steps: number };
}

interface Posted {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly service: Readonly<Record<string, unknown>>;
  readonly traces: readonly PostedTrace[];
}

const patienceMs = 10_000;

/** A local server that takes traces as the product does, and keeps them. */
export class Collector {
  readonly bodies: Posted[] = [];
  readonly keys = new Set<unknown>();
  /** What is answered; a test may change it. */
  answer = { status: 200, body: '' };
  readonly #server = createServer((req, res) => {
    this.#take(req).then(
      (count) => {
        res.writeHead(this.answer.status, { 'content-type': 'application/json' });
        res.end(this.answer.body || JSON.stringify({ accepted: count, rejected: [] }));
      },
      (error: unknown) => {
        res.writeHead(400).end(String(error));
      },
    );
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

  get traces(): PostedTrace[] {
    return this.bodies.flatMap((body) => body.traces);
  }

  /** The first trace of a path, once it has arrived. */
  async trace(path: string): Promise<PostedTrace> {
    const [trace] = await this.tracesOf(path, 1);
    if (trace === undefined) throw new Error(`no trace of ${path}`);
    return trace;
  }

  /** At least `count` traces of a path, once they have arrived. */
  async tracesOf(path: string, count: number): Promise<PostedTrace[]> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const found = this.traces.filter((trace) => trace.request.path === path);
      if (found.length >= count) return found;
      if (Date.now() > until) throw new Error(`${found.length} of ${count} traces of ${path} arrived`);
      await new Promise((wait) => setTimeout(wait, 20));
    }
  }

  async #take(req: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const packed = Buffer.concat(chunks);
    const text = req.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
    const body: Posted = JSON.parse(text.toString());
    if (req.url !== '/api/ingest/traces' || req.method !== 'POST')
      throw new Error(`${req.method} ${req.url}`);
    this.keys.add(req.headers['x-api-key']);
    if (this.answer.status === 200) this.bodies.push(body);
    return body.traces.length;
  }
}
