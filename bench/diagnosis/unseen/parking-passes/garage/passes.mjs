import { setTimeout as wait } from 'node:timers/promises';
import { cents, isUnit } from './terms.mjs';

const passes = [];

const compact = (plate) => plate.toUpperCase().replace(/[\s-]/g, '');

export async function issuePass({ plate, unit, amount, at }) {
  if (!isUnit(unit)) throw Object.assign(new Error(`no passes are sold by ${unit}`), { status: 422 });
  await wait(5);
  const pass = { id: `P-${passes.length + 1}`, plate: compact(plate), unit, amount, issuedAt: new Date(at) };
  passes.push(pass);
  return { id: pass.id, cents: cents[unit] * amount };
}

export async function latestPass(plate) {
  await wait(4);
  return passes.findLast((pass) => pass.plate === compact(plate)) ?? null;
}

export async function passesOf(plate) {
  await wait(4);
  return passes
    .filter((pass) => pass.plate === compact(plate))
    .map(({ id, unit, amount }) => ({ id, term: `${amount} ${unit}` }));
}
