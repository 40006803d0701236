import { setTimeout as delay } from 'node:timers/promises';

const members = {
  'FM-1001': { name: 'Ines Prado', reduction: 0.1 },
  'FM-1002': { name: 'Olaf Brandt', reduction: 0.15 },
  'FM-1003': { name: 'Grete Moen', reduction: 0.1 },
};

export async function reductionFor(membership) {
  if (!membership) return 0;
  await delay(40);
  return members[membership]?.reduction ?? 0;
}
