/**
 * Generates traces like those that the SDK sends for a shop, with 20 steps and about 30 kB of JSON each. The same seed gives the same
 * traces. As in a real service, most steps receive the same order, so values repeat within a trace. {@link bitsPerStep} measures the
 * entropy that remains.
 */
import { constants, zstdCompressSync } from 'node:zlib';

/** A small seeded random generator (mulberry32), uniform in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

export const STEPS_PER_TRACE = 20;

const ADJECTIVES = [
  'Oak',
  'Linen',
  'Copper',
  'Blue',
  'Folding',
  'Ceramic',
  'Walnut',
  'Wool',
  'Glass',
  'Slate',
];
const NOUNS = ['desk', 'lamp', 'chair', 'kettle', 'blanket', 'shelf', 'mirror', 'bowl', 'stool', 'clock'];
const FIRST = ['Ada', 'Grace', 'Linus', 'Edsger', 'Barbara', 'Ken', 'Margaret', 'Alan', 'Radia', 'Donald'];
const LAST = [
  'Moreau',
  'Okafor',
  'Lindqvist',
  'Tanaka',
  'Silva',
  'Novak',
  'Haddad',
  'Kelly',
  'Rossi',
  'Weber',
];
const CITIES = ['Lyon', 'Lagos', 'Uppsala', 'Osaka', 'Porto', 'Brno', 'Tunis', 'Galway', 'Turin', 'Bremen'];

const CATALOGUE = Array.from({ length: 60 }, (_product, index) => ({
  id: index + 1,
  sku: `SKU-${String(index * 37 + 1000)}`,
  name: `${at(ADJECTIVES, index)} ${at(NOUNS, Math.floor(index / 6))}`,
  priceCents: 990 + ((index * 7919) % 24_000),
  taxClass: index % 5 === 0 ? 'reduced' : 'standard',
  tags: [at(ADJECTIVES, index).toLowerCase(), at(NOUNS, index + 3)],
}));

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('an empty list has no items');
  return item;
}

const below = (random: Random, limit: number) => Math.floor(random() * limit);
const hex = (random: Random, digits: number) =>
  Array.from({ length: digits }, () => below(random, 16).toString(16)).join('');

function makeOrder(random: Random) {
  const first = at(FIRST, below(random, 10));
  const last = at(LAST, below(random, 10));
  const customer = {
    id: below(random, 5000),
    name: `${first} ${last}`,
    email: `${first}.${last}.${below(random, 1000)}@example.com`.toLowerCase(),
    tier: at(['basic', 'silver', 'gold'], below(random, 3)),
    address: {
      street: `${below(random, 200)} ${at(NOUNS, below(random, 10))} street`,
      city: at(CITIES, below(random, 10)),
      zip: String(10_000 + below(random, 89_999)),
    },
  };
  const lines = Array.from({ length: 1 + below(random, 3) }, () => {
    const product = at(CATALOGUE, below(random, CATALOGUE.length));
    const quantity = 1 + below(random, 4);
    return { product, quantity, lineCents: product.priceCents * quantity };
  });
  const subtotalCents = lines.reduce((sum, line) => sum + line.lineCents, 0);
  const discountCents = Math.round(subtotalCents * (below(random, 20) / 100));
  const taxCents = Math.round((subtotalCents - discountCents) * 0.19);
  return {
    id: below(random, 1_000_000),
    reference: hex(random, 12),
    customer,
    lines,
    subtotalCents,
    discountCents,
    taxCents,
    totalCents: subtotalCents - discountCents + taxCents,
  };
}
type Order = ReturnType<typeof makeOrder>;

/** Name, type and source position of a step, and its inputs, variables and result. */
interface Shape {
  readonly name: string;
  readonly type: string;
  readonly file: string;
  readonly line: number;
  readonly parent: number | null;
  readonly values: (order: Order) => { parameters: object; locals: object; returned: unknown };
}

const small = (name: string, type: string, file: string, line: number, parent: number | null): Shape => ({
  name,
  type,
  file,
  line,
  parent,
  values: ({ customer, id }) => ({
    parameters: {
      request: { method: 'POST', url: `/orders/${id}`, customerId: customer.id },
      next: { $type: 'function', name: 'next' },
    },
    locals: { startedAt: { $type: 'Date', value: '2026-01-01T00:00:00.000Z' }, customerId: customer.id },
    returned: { $type: 'undefined' },
  }),
});
const priced = (name: string, file: string, line: number, parent: number): Shape => ({
  name,
  type: 'function',
  file,
  line,
  parent,
  values: ({ lines, customer, subtotalCents, discountCents, taxCents }) => ({
    parameters: { lines, customer },
    locals: { subtotalCents, discountCents, taxCents, rate: 0.19 },
    returned: { subtotalCents, discountCents, taxCents },
  }),
});
const queried = (name: string, line: number, parent: number): Shape => ({
  name,
  type: 'database',
  file: 'src/database.ts',
  line,
  parent,
  values: ({ lines, customer, reference }) => ({
    parameters: {
      sql: 'select id, sku, name, price_cents, tax_class, tags from products where id = any($1) order by id',
      values: [lines.map(({ product }) => product.id), customer.id, reference],
    },
    locals: { rowCount: lines.length },
    returned: { rows: lines.map(({ product }) => product), rowCount: lines.length },
  }),
});
const whole = (name: string, file: string, line: number, parent: number): Shape => ({
  name,
  type: 'function',
  file,
  line,
  parent,
  values: (order) => ({
    parameters: { order },
    locals: { attempts: 1, reference: order.reference },
    returned: order,
  }),
});

const SHAPES: readonly Shape[] = [
  small('json', 'middleware', 'src/app.ts', 12, null),
  small('authenticate', 'middleware', 'src/accounts/authenticate.ts', 20, null),
  queried('findSession', 31, 1),
  small('POST /orders', 'handler', 'src/checkout/routes.ts', 18, null),
  whole('checkout', 'src/checkout/checkout.ts', 40, 3),
  queried('findProducts', 64, 4),
  priced('subtotal', 'src/checkout/prices.ts', 9, 4),
  priced('applyDiscount', 'src/checkout/discounts.ts', 22, 4),
  priced('taxFor', 'src/checkout/tax.ts', 15, 4),
  queried('lockStock', 80, 4),
  priced('reserve', 'src/checkout/stock.ts', 30, 4),
  whole('charge', 'src/checkout/payment.ts', 12, 4),
  small('POST /payments', 'http', 'src/checkout/payment.ts', 27, 11),
  whole('store', 'src/checkout/orders.ts', 51, 4),
  queried('insertOrder', 101, 13),
  queried('insertLines', 118, 13),
  whole('receipt', 'src/checkout/receipt.ts', 8, 4),
  small('render', 'function', 'src/checkout/receipt.ts', 33, 16),
  whole('notify', 'src/checkout/orders.ts', 77, 4),
  small('finish', 'function', 'src/app.ts', 60, 3),
];

export interface GeneratedTrace {
  readonly _id: string;
  readonly flow: readonly {
    readonly stepId: string;
    readonly inputs: unknown;
    readonly outputs: unknown;
    readonly variables: unknown;
  }[];
  readonly [field: string]: unknown;
}

/** Generates traces without end. Each trace starts at `now()`, in epoch ms. */
export function* generateTraces(seed: number, now: () => number): Generator<GeneratedTrace, never> {
  const random = seeded(seed);
  for (;;) yield makeTrace(random, now());
}

function makeTrace(random: Random, startMs: number): GeneratedTrace {
  const order = makeOrder(random);
  const instant = (ms: number) => {
    const micros = Math.round((startMs + ms) * 1000);
    return `${new Date(micros / 1000).toISOString().slice(0, 20)}${String(micros % 1_000_000).padStart(6, '0')}Z`;
  };
  let atMs = random();
  const flow = SHAPES.map((shape, index) => {
    const duration = Math.round((0.05 + random() * 8) * 1000) / 1000;
    const { parameters, locals, returned } = shape.values(order);
    const localVariables = { ...locals, elapsedMs: Math.round(random() * 1e6) / 1e3, tag: hex(random, 8) };
    const startTime = instant(atMs);
    const endTime = instant(atMs + duration);
    atMs += random() * 3;
    return {
      stepId: String(index + 1),
      parentStepId: shape.parent === null ? null : String(shape.parent + 1),
      sequence: index,
      stepName: shape.name,
      stepType: shape.type,
      startTime,
      endTime,
      duration,
      functionName: shape.name,
      filePath: shape.file,
      lineNumber: shape.line,
      inputs: parameters,
      outputs: returned,
      variables: { capturedAt: 'exit', parameters, localVariables, returnValue: returned },
    };
  });
  const time = startMs.toString(16).padStart(12, '0');
  const chance = hex(random, 20);
  return {
    _id: `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-8${chance.slice(3, 6)}-${chance.slice(6, 18)}`,
    traceId: hex(random, 32),
    spanId: hex(random, 16),
    request: {
      method: 'POST',
      path: `/orders/${order.id}`,
      route: '/orders/:id',
      url: `http://shop.example/orders/${order.id}`,
      headers: {
        host: 'shop.example',
        'content-type': 'application/json',
        'user-agent': 'node',
        accept: '*/*',
      },
      query: {},
      body: {
        customerId: order.customer.id,
        lines: order.lines.map(({ product, quantity }) => ({ sku: product.sku, quantity })),
      },
      ip: `203.0.${below(random, 256)}.${below(random, 256)}`,
      userAgent: 'node',
    },
    response: {
      statusCode: random() < 0.9 ? 201 : 500,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { id: order.id, reference: order.reference, totalCents: order.totalCents },
    },
    timing: { startTime: instant(0), duration: Math.round((20 + random() * 100) * 1000) / 1000 },
    performance: {
      memoryUsage: { heapUsed: 40_000_000 + below(random, 30_000_000) },
      cpuUsage: Math.round(random() * 1000) / 10,
      eventLoopDelay: Math.round(random() * 30) / 10,
    },
    error: { hasError: false, errorMessage: null, errorCode: null },
    user: { id: String(order.customer.id) },
    attributes: {},
    flow,
    dropped: { steps: 0, values: 0, bytes: 0 },
  };
}

/** Measures the information in the values of steps: the size of many traces' values after the strongest compression, in bits per step. */
export function bitsPerStep(traces: readonly GeneratedTrace[]): number {
  const values = traces.map(({ flow }) =>
    JSON.stringify(flow.map(({ inputs, outputs, variables }) => [inputs, outputs, variables])),
  );
  const packed = zstdCompressSync(values.join('\n'), {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 27 },
  });
  return (packed.length * 8) / (traces.length * STEPS_PER_TRACE);
}
