import { fileURLToPath } from 'node:url';
import type { BenchCollector } from './collector.ts';
import { fixtures, type Mode, modes, type Outlet } from './modes.ts';
import { runLoad, settle, warm } from './round.ts';
import { BenchServer } from './server.ts';

const requests = 3000;
const toggling: Mode = {
  ...modes.all,
  flags: [
    '--conditions=source',
    ...modes.all.flags,
    '--import',
    fileURLToPath(new URL('../fixtures/toggle-source.ts', import.meta.url)),
  ],
};

/**
 * Returns, for each pair of loads, the CPU time per request with source text divided by that without. Both loads run in one warm process,
 * because two processes that do the same differ by up to 10 %. The order changes with each pair.
 */
export async function sourceCpu(collector: BenchCollector, outlet: Outlet, pairs: number): Promise<number[]> {
  const fixture = fixtures.orders;
  const server = new BenchServer(fixture, toggling, outlet);
  try {
    const port = await server.port();
    await warm(fixture, port);
    const measure = async (mode: 'with source' | 'without source') => {
      await settle(collector);
      collector.takePosts();
      const before = await server.usage(mode);
      await runLoad(fixture, port, requests);
      await settle(collector);
      return (await server.usage()).cpuMicros - before.cpuMicros;
    };
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const first = await measure(pair % 2 === 0 ? 'with source' : 'without source');
      const second = await measure(pair % 2 === 0 ? 'without source' : 'with source');
      ratios.push(pair % 2 === 0 ? first / second : second / first);
    }
    return ratios;
  } finally {
    await server.stop();
  }
}
