import { select } from './database.mjs';

export async function collectorOf(id) {
  const [collector] = await select('collectors', (row) => row.id === id);
  return `${collector.name} (${collector.institute})`;
}
