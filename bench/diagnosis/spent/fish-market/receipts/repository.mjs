import { setTimeout as wait } from 'node:timers/promises';

const line = (item, grams, perKilo, rate, voided = false) => ({ item, grams, perKilo, rate, voided });

const receipts = new Map([
  ['k1/20418', [line('Herring', 800, 990, 'reduced'), line('Cool bag', 1000, 350, 'standard')]],
  ['k1/20419', [line('Turbot', 1250, 4290, 'reduced')]],
  [
    'k1/20424',
    [
      line('Monkfish', 640, 3890, 'reduced'),
      line('Dill', 50, 2200, 'reduced'),
      line('Sancerre', 1000, 1890, 'standard'),
    ],
  ],
  ['k2/77105', [line('Oysters', 600, 2450, 'reduced'), line('Oyster knife', 1000, 1690, 'standard')]],
  ['k2/77109', [line('Smoked eel', 420, 5200, 'reduced'), line('Sprats', 500, 1180, 'reduced')]],
  [
    'k2/77112',
    [
      line('Brown crab', 1400, 1650, 'reduced'),
      line('Samphire', 200, 2600, 'reduced'),
      line('Scallops', 350, 4900, 'reduced', true),
    ],
  ],
]);
const tills = new Map([
  ['k1', { name: 'Quay hall 1', taxNumber: 'DK-3310' }],
  ['k2', { name: 'Quay hall 2', taxNumber: 'DK-3310' }],
]);

function missing(what) {
  return Object.assign(new Error(`${what} not found`), { statusCode: 404 });
}

export async function loadTill(id) {
  await wait(2);
  const till = tills.get(id);
  if (!till) throw missing(`till ${id}`);
  return { id, ...till };
}

export async function loadReceipt(till, number) {
  await wait(4);
  const lines = receipts.get(`${till}/${number}`);
  if (!lines) throw missing(`receipt ${number}`);
  return { till, number: Number(number), lines };
}
