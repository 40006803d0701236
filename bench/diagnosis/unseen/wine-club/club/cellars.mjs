import { setTimeout as wait } from 'node:timers/promises';

const cellars = [
  { name: 'Kiedrich', cases: { riesling: 140, spaetburgunder: 60, sekt: 10 } },
  { name: 'Rauenthal', cases: { riesling: 80, sekt: 45 } },
  { name: 'Lorch', cases: { spaetburgunder: 90, sekt: 30 } },
];

const allocations = new Map();

export const stockOf = (wine) =>
  Object.fromEntries(cellars.filter(({ cases }) => wine in cases).map(({ name, cases }) => [name, cases[wine]]));

async function reserve(cellar, wine, wanted) {
  const cases = Math.min(cellar.cases[wine] ?? 0, wanted);
  await wait(3 + cases * 3);
  if (cases > 0) cellar.cases[wine] -= cases;
  return cases;
}

export async function allocate({ id, wine, cases }) {
  const parts = [];
  let open = cases;
  for (const cellar of cellars) {
    if (open === 0) break;
    const reserved = await reserve(cellar, wine, open);
    if (reserved > 0) parts.push({ cellar: cellar.name, cases: reserved });
    open -= reserved;
  }
  allocations.set(id, parts);
}

export const allocationOf = (orderId) => allocations.get(orderId);
