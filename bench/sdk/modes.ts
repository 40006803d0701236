import { createHmac } from 'node:crypto';
import { join } from 'node:path';

/** Where a tracer sends or writes its data. */
export interface Outlet {
  /** The collector's address. */
  readonly address: string;
  /** Folder for a tracer that writes files. */
  readonly folder: string;
}

/** One way to run a fixture: the tracer that is loaded into its process, and its settings. */
export interface Mode {
  readonly name: string;
  /** Flags for Node, which precede the script. */
  readonly flags: readonly string[];
  env(outlet: Outlet): Readonly<Record<string, string>>;
  /**
   * Data that must arrive: nothing, each request, a step for each call, or each step with its values. If data is missing, the round fails.
   * Tracers that drop requests by design are the exception: for them, the delivered share is measured.
   */
  readonly sends: 'nothing' | 'requests' | 'steps' | 'values' | 'what it can';
  /** Share of the usual number of requests that the mode gets. Set if a request costs many times as much as in the other modes. */
  readonly load?: number;
}

const ours = ['--import', '@throughline/node/auto'];
const key = `tl_${'b'.repeat(40)}`;
const throughline =
  (settings: Readonly<Record<string, string>>) =>
  ({ address }: Outlet) => ({
    THROUGHLINE_API_KEY: key,
    THROUGHLINE_URL: address,
    ...settings,
  });

/** The mode without a tracer, and the modes of this SDK. */
export const modes = {
  none: { name: 'none', flags: [], env: () => ({}), sends: 'nothing' },
  idle: {
    name: 'loaded, not recording',
    flags: ours,
    env: throughline({ THROUGHLINE_SAMPLE_RATE: '0' }),
    sends: 'nothing',
  },
  structure: {
    name: 'structure',
    flags: ours,
    env: throughline({ THROUGHLINE_CAPTURE: 'structure' }),
    sends: 'steps',
  },
  standard: { name: 'default', flags: ours, env: throughline({}), sends: 'steps' },
  all: {
    name: 'everything',
    flags: ours,
    env: throughline({ THROUGHLINE_CPU_BUDGET: '100' }),
    sends: 'values',
  },
} satisfies Record<string, Mode>;

/** A server to put under load, and the request that is sent to it. */
export interface Fixture {
  readonly name: string;
  readonly script: string;
  readonly request: {
    readonly path: string;
    readonly method: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Number of instrumented calls per request. */
  readonly calls: number;
}

/** Token that the articles fixtures accept as the login of a reader. */
const token = signed('a secret of the bench', { id: 2, sub: { id: 2, username: 'user2' } });
const readArticles = {
  path: '/api/articles?limit=5&tag=node',
  method: 'GET',
  headers: { authorization: `Token ${token}` },
};

function signed(secret: string, payload: object): string {
  const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

export const fixtures = {
  orders: {
    name: 'express-orders',
    script: join(import.meta.dirname, '../fixtures', 'express-orders', 'app.js'),
    request: {
      path: '/orders/c-1',
      method: 'POST',
      body: JSON.stringify({
        items: [
          { sku: 'tea', quantity: 2 },
          { sku: 'pot', quantity: 1 },
        ],
      }),
    },
    calls: 12,
  },
  bare: {
    name: 'bare-http',
    script: join(import.meta.dirname, '../fixtures', 'bare-http', 'app.js'),
    request: { path: '/', method: 'GET' },
    calls: 2,
  },
  koa: {
    name: 'koa-articles',
    script: join(import.meta.dirname, '../fixtures', 'koa-articles', 'app.js'),
    request: readArticles,
    calls: 50,
  },
  nest: {
    name: 'nest-articles',
    script: join(import.meta.dirname, '../fixtures', 'nest-articles', 'app.js'),
    request: readArticles,
    calls: 35,
  },
} satisfies Record<string, Fixture>;
