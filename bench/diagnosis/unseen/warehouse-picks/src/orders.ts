import { setTimeout as wait } from 'node:timers/promises';

export interface OrderLine {
  sku: string;
  quantity: number;
}

const orders: Record<string, string> = {
  'O-2201': 'K-118:2 K-204:1',
  'O-2202': 'K-300:4',
  'O-2203': 'K-118:1 K-131:3 K-142:1 K-150:2 K-166:6 K-204:1 K-219:2',
  'O-2204': 'K-300:1 K-312:2 K-320:2',
  'O-2205': 'K-400:5 K-415:1',
  'O-2210': 'K-118:3 K-131:1 K-142:2 K-150:1 K-166:2 K-204:4 K-219:1 K-226:1 K-233:2',
};

export async function linesOf(id: string): Promise<OrderLine[]> {
  const lines = (orders[id] ?? '').split(' ').filter((line) => line !== '');
  await wait(10 + lines.length * 16);
  return lines.map((line) => {
    const [sku = '', quantity = '1'] = line.split(':');
    return { sku, quantity: Number(quantity) };
  });
}
