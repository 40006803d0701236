import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redactor } from '@throughline/contract/redaction';
import { runRecording } from '../../../packages/sdk/src/record/async/work-context.ts';
import { defaultLimits } from '../../../packages/sdk/src/record/capture/limits.ts';
import { Recording } from '../../../packages/sdk/src/record/recording.ts';
import { returnWriter } from '../../../packages/sdk/src/record/writer/writer-pool.ts';
import { writeTrace } from '../../../packages/sdk/src/send/encode/write-trace.ts';
import { makeTrace } from '../../../packages/sdk/src/send/trace.fixture.ts';
import { FunctionSources } from '../../../packages/sdk/src/source/function-sources.ts';
import { traced } from '../../../packages/sdk/test/traced.ts';
import { findAddedCost } from './added-cost.ts';

const WARM_UP = 30_000;
const TRACES = 500;

const CODE = `
exports.checkout = function checkout(order) {
  const priced = order.items.map(price);
  const total = priced.reduce(add, 0);
  return { id: order.id, total: discount(total, order.customer) };
};
function price(item) { return { ...item, price: lookUp(item.sku) * item.count }; }
function lookUp(sku) { return sku.length * 3.5; }
function add(sum, item) { return sum + item.price; }
function discount(total, customer) { return customer.isMember ? total * 0.9 : total; }
`;
const ORDER = {
  id: 'ord_17',
  customer: { name: 'Ada Lovelace', isMember: true },
  items: Array.from({ length: 6 }, (_, index) => ({ sku: `sku-${index}`, count: index + 1 })),
};

/**
 * Measures how many µs of CPU source text adds to a trace of 20 steps, if the source of their functions was sent before. Returns one value
 * for each round. Blocks of traces with and without source text take turns in one process: two loads of a server differ by up to 20 %,
 * which would hide so small a cost.
 */
export function sourceCpu(rounds: number): number[] {
  const { checkout } = traced(CODE);
  if (checkout === undefined) throw new Error('checkout was not instrumented');
  const redactor = new Redactor();
  const root = mkdtempSync(join(tmpdir(), 'throughline-source-'));
  const sources = new FunctionSources(root);
  const writeOne = (withSource: boolean): number => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    runRecording(recording, () => checkout(ORDER));
    const { flow, secrets, writer } = recording.finish();
    const head = makeTrace('019aa5c1-5b40-7000-8000-000000000001');
    const startMs = performance.now();
    const found = withSource ? sources.collect(flow) : undefined;
    writeTrace({ ...head, flow, secrets, writer, sources: found }, redactor);
    const tookMs = performance.now() - startMs;
    if (withSource && found === undefined) throw new Error('the trace has no source text');
    if (writer !== null) returnWriter(writer);
    return tookMs * 1000;
  };
  const writeBlock = (withSource: boolean) => {
    let micros = 0;
    for (let trace = 0; trace < TRACES; trace++) micros += writeOne(withSource);
    return micros / TRACES;
  };
  try {
    writeFiles(root, checkout);
    for (let trace = 0; trace < WARM_UP; trace++) writeOne(trace % 2 === 0);
    return findAddedCost(rounds, writeBlock);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Writes the files of the instrumented functions, so that their source text is found. */
function writeFiles(root: string, checkout: (order: unknown) => unknown): void {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => checkout(ORDER));
  for (const { site } of recording.finish().flow) {
    if (site === undefined) continue;
    const file = join(root, site.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, CODE);
    // A file that changed after the process had started would not be read.
    utimesSync(file, 1, 1);
  }
}
