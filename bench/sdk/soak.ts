import autocannon from 'autocannon';
import { fixtures, modes } from './modes.ts';
import { BenchServer } from './server.ts';

const minutes = 10;
const rate = 500;

/**
 * Returns by how many MB the memory of a server grows from its third to its tenth minute, if everything is recorded and no collector is
 * reachable. Compares the lowest value of each minute.
 */
export async function memoryGrowth(): Promise<number> {
  const { orders } = fixtures;
  const server = new BenchServer(orders, modes.all, { address: 'http://127.0.0.1:9', folder: '' });
  try {
    const { path, ...request } = orders.request;
    const url = `http://127.0.0.1:${await server.port()}${path}`;
    const lowest: number[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      const readings: number[] = [];
      for (let part = 0; part < 6; part++) {
        const headers = { 'content-type': 'application/json' };
        const { errors } = await autocannon({
          url,
          connections: 20,
          duration: 10,
          overallRate: rate,
          headers,
          ...request,
        });
        if (errors > 0) throw new Error(`${errors} requests failed`);
        readings.push((await server.usage()).rssBytes);
      }
      lowest.push(Math.min(...readings));
    }
    const [third = Number.NaN] = lowest.slice(2);
    return ((lowest.at(-1) ?? Number.NaN) - third) / 1e6;
  } finally {
    await server.stop();
  }
}
