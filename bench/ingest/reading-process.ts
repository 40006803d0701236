/**
 * Reads batches with the code of a given checkout, for `reading.ts`. Responds to each message with the CPU time that its main thread used,
 * in µs per trace or span.
 */
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { makeOtlpBatches } from './otlp-batches.ts';
import { makeBatches } from './senders.ts';

type Admit = (
  bytes: Buffer,
  type: string,
  admission: object,
) => Promise<{
  readonly traces: readonly unknown[];
  readonly spans: readonly { readonly links: readonly unknown[] }[];
}>;

const isFunction = (value: unknown) => typeof value === 'function';
const Intake = z.object({ intake: z.object({ admit: z.custom<Admit>(isFunction) }) });
const Redaction = z.object({ Redactor: z.custom<new () => object>(isFunction) });

const BATCHES = 8;

const [, , root = ''] = process.argv;
const load = (path: string): Promise<unknown> => import(`${root}/${path}`);
const { Redactor } = Redaction.parse(await load('packages/contract/src/redaction.ts'));
const native = Intake.parse(await load('apps/server/src/features/ingest/intake/native-intake.ts'));
const otlp = Intake.parse(await load('apps/server/src/features/otlp/spans/otlp-intake.ts'));

const redactor = new Redactor();
const project = {
  projectId: '018f0000-0000-7000-8000-000000000001',
  plan: 'pro',
  accessEndsAt: null,
  redaction: undefined,
};
const unpacked = (batches: readonly { readonly body: Buffer }[]) =>
  batches.map(({ body }) => gunzipSync(body));
const traces = unpacked(makeBatches({ seed: 3, batches: BATCHES, traces: 25, keep: 1 }).batches);
const spans = unpacked(makeOtlpBatches(BATCHES, 100));

/** Returns the CPU time in µs per trace or span. */
async function measure(admit: Admit, type: string, bodies: readonly Buffer[]): Promise<number> {
  // Reading a body frees its memory, so each run needs a copy.
  const copies = bodies.map((body) => Buffer.from(body));
  const before = process.threadCpuUsage();
  let count = 0;
  for (const body of copies) {
    const nowMicros = BigInt(Date.now()) * 1000n;
    const batch = await admit(body, type, {
      project,
      redactor,
      nowMicros,
      batchKey: undefined,
      isCounted: false,
      onEventLoop: true,
      fullTraces: new Set(),
      onFailure(error: unknown) {
        throw error;
      },
    });
    count += batch.traces.length;
    for (const { links } of batch.spans) count += links.length;
  }
  const { user, system } = process.threadCpuUsage(before);
  if (count === 0) throw new Error('nothing of the batches was accepted');
  return (user + system) / count;
}

process.on('message', async () => {
  process.send?.({
    trace: await measure(native.intake.admit, 'application/json', traces),
    span: await measure(otlp.intake.admit, 'application/x-protobuf', spans),
  });
});
process.send?.('ready');
