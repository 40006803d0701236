import { setTimeout as wait } from 'node:timers/promises';

const tenancies = new Map([
  [
    't-501',
    {
      tenant: 'Louis Garnier',
      address: '4 rue Mercière, Lyon',
      rent: 84000,
      deposit: 168000,
      moved: '2025-03-31',
    },
  ],
  [
    't-518',
    {
      tenant: 'Amina Diallo',
      address: '19 rue de Béthune, Lille',
      rent: 61500,
      deposit: 123000,
      moved: '2025-04-15',
    },
  ],
  [
    't-534',
    {
      tenant: 'Petra Kuhn',
      address: 'Karl-Heine-Str. 12, Leipzig',
      rent: 70200,
      deposit: 210600,
      moved: '2025-02-28',
    },
  ],
  [
    't-547',
    {
      tenant: 'Marek Lis',
      address: 'ul. Morska 8, Gdynia',
      rent: 245000,
      deposit: 490000,
      moved: '2025-05-31',
    },
  ],
]);

export async function findTenancy(id) {
  await wait(3);
  const tenancy = tenancies.get(id);
  if (!tenancy) throw Object.assign(new Error(`no tenancy ${id}`), { status: 404 });
  return { id, ...tenancy };
}
