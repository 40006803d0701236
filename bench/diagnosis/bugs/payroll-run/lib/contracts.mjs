import { setTimeout as sleep } from 'node:timers/promises';

const contracts = new Map([
  ['e1', { name: 'Ines Roth', hourlyCents: 2150, monthlyHours: 160, agreement: 'retail' }],
  ['e2', { name: 'Paul Adeyemi', hourlyCents: 3400, monthlyHours: 120, agreement: 'office' }],
  ['e3', { name: 'Mara Lund', hourlyCents: 2800, monthlyHours: 160, agreement: 'office' }],
  ['e4', { name: 'Timo Hart', hourlyCents: 1990, monthlyHours: 80, agreement: 'retail' }],
]);

const surcharges = new Map([
  ['retail', 1.25],
  ['office', 1.5],
]);

export async function findContract(employeeId) {
  await sleep(3);
  return contracts.get(employeeId) ?? null;
}

export async function overtimeFactor(agreement) {
  await sleep(3);
  return surcharges.get(agreement) ?? 1;
}
