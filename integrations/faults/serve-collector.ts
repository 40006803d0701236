/** The process of a {@link CollectorProcess}: carries out its parent's orders, and ends with the parent. */
import { faults, noFault } from './faults.ts';
import { FaultyCollector, type TraceCounts } from './faulty-collector.ts';

export type Order =
  | { readonly what: 'start' | 'end' | 'tell' }
  | { readonly what: 'begin'; readonly fault: string };

export interface Answer {
  readonly url: string;
  readonly counts: TraceCounts;
}

const collector = new FaultyCollector();
let url = '';

async function obey(order: Order): Promise<void> {
  if (order.what === 'start') url = await collector.start();
  else if (order.what === 'end') await collector.end();
  else if (order.what === 'begin') {
    const fault = [...faults, noFault].find(({ name }) => name === order.fault);
    if (fault === undefined) throw new Error(`there is no fault ${order.fault}`);
    await collector.begin(fault);
  }
}

process.on('message', async (message) => {
  await obey(JSON.parse(String(message)));
  const answer: Answer = { url, counts: collector.counts };
  process.send?.(JSON.stringify(answer));
});
process.on('disconnect', () => process.exit());
