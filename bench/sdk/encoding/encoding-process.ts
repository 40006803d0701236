/**
 * Records and serializes traces with the SDK of a given checkout, for `encoding.ts`. Responds to each message with two durations in µs per
 * trace: for the traced function with its recording, and for writing the trace as JSON.
 */
import { z } from 'zod';

interface Finished {
  readonly flow: readonly unknown[];
  readonly secrets: Set<string>;
  readonly writer: object;
}

type AnyFunction = (...args: never[]) => unknown;
const isFunction = (value: unknown) => typeof value === 'function';
const Traced = z.object({
  traced: z.custom<(source: string) => Record<string, (order: unknown) => unknown>>(isFunction),
});
const Recordings = z.object({
  Recording: z.custom<new (options: object) => { finish(): Finished }>(isFunction),
});
const Context = z.object({
  runRecording: z.custom<(recording: object, fn: AnyFunction) => unknown>(isFunction),
});
const Limits = z.object({ defaultLimits: z.object({}).loose() });
const Fixture = z.object({ makeTrace: z.custom<(id: string) => object>(isFunction) });
const Encoder = z.object({
  writeTrace: z.custom<(trace: object, redactor: object) => Uint8Array>(isFunction),
});
const Pool = z.object({ returnWriter: z.custom<(writer: object) => void>(isFunction) });
const Redaction = z.object({ Redactor: z.custom<new () => object>(isFunction) });

const [, , root = ''] = process.argv;
const load = (path: string): Promise<unknown> => import(`${root}/packages/${path}`);
const { traced } = Traced.parse(await load('sdk/test/traced.ts'));
const { Recording } = Recordings.parse(await load('sdk/src/record/recording.ts'));
const { runRecording } = Context.parse(await load('sdk/src/record/async/work-context.ts'));
const { defaultLimits } = Limits.parse(await load('sdk/src/record/capture/limits.ts'));
const { makeTrace } = Fixture.parse(await load('sdk/src/send/trace.fixture.ts'));
const { writeTrace } = Encoder.parse(await load('sdk/src/send/encode/write-trace.ts'));
const { returnWriter } = Pool.parse(await load('sdk/src/record/writer/writer-pool.ts'));
const { Redactor } = Redaction.parse(await load('contract/src/redaction.ts'));

/** Makes 21 calls with objects, lists and strings, as in a small service. */
const { checkout } = traced(`
exports.checkout = function checkout(order) {
  const priced = order.items.map(price);
  const total = priced.reduce(add, 0);
  return { id: order.id, total: discount(total, order.customer), label: label(order) };
};
function price(item) { return { ...item, price: lookUp(item.sku) * item.count }; }
function lookUp(sku) { return sku.length * 3.5; }
function add(sum, item) { return sum + item.price; }
function discount(total, customer) { return customer.isMember ? total * 0.9 : total; }
function label(order) { return order.customer.name + ', ' + order.items.length + ' items'; }
`);
const order = {
  id: 'ord_17',
  customer: { name: 'Ada Lovelace', city: 'London', isMember: true, tags: ['maths', 'early'] },
  items: Array.from({ length: 6 }, (_item, index) => ({
    sku: `sku-${index}`,
    count: index + 1,
    name: 'Notebook',
  })),
};
const redactor = new Redactor();
const head = makeTrace('0198c000-0000-7000-8000-000000000001');
const ROUNDS = 20;
/**
 * Number of traces that are recorded before they are encoded. Each trace uses a buffer of the pool; the pool has more buffers than this.
 */
const TRACES_A_ROUND = 25;

function record(): Finished {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => checkout?.(order));
  return recording.finish();
}

function encode({ flow, secrets, writer }: Finished): void {
  const json = writeTrace({ ...head, flow, secrets, writer }, redactor);
  if (json.length < 1000) throw new Error('the values of the steps are missing');
  returnWriter(writer);
}

/** Returns the time in µs per trace. */
function timed(work: () => void): number {
  const start = performance.now();
  work();
  return ((performance.now() - start) * 1000) / TRACES_A_ROUND;
}

/**
 * Returns the shortest duration of several rounds, both for recording and for encoding. A round takes a few milliseconds, so other programs
 * rarely interrupt all rounds.
 */
function measure(): { readonly recorded: number; readonly encoded: number } {
  const finished: Finished[] = [];
  const least = { recorded: Number.POSITIVE_INFINITY, encoded: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    const recorded = timed(() => {
      for (let trace = 0; trace < TRACES_A_ROUND; trace++) finished.push(record());
    });
    const encoded = timed(() => {
      for (const trace of finished.splice(0)) encode(trace);
    });
    least.recorded = Math.min(least.recorded, recorded);
    least.encoded = Math.min(least.encoded, encoded);
  }
  return least;
}

process.on('message', () => process.send?.(measure()));
process.send?.('ready');
