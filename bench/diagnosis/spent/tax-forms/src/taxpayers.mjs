import { setTimeout as wait } from 'node:timers/promises';
import { FilingError } from './filing-error.mjs';

const taxpayers = new Map([
  ['TP-1017', { name: 'Greta Lind', married: false, children: 0 }],
  ['TP-1240', { name: 'Paul Adeyemi', married: true, children: 2 }],
  ['TP-1388', { name: 'Mei Tanaka', married: false, children: 1 }],
  ['TP-1502', { name: 'Carlos Pinto', married: true, children: 0 }],
  ['TP-1699', { name: 'Ruth Ahlers', married: false, children: 3 }],
]);

const filed = new Map();

export async function findTaxpayer(id) {
  await wait(4);
  const taxpayer = taxpayers.get(id);
  if (!taxpayer) throw new FilingError(404, `no taxpayer ${id}`);
  return taxpayer;
}

export async function storeReturn(id, assessment) {
  await wait(6);
  const receipt = `R-${id.slice(3)}-${filed.size + 1}`;
  filed.set(receipt, assessment);
  return receipt;
}
