import { setTimeout as wait } from 'node:timers/promises';
import { problem } from '../http/json.mjs';

const growers = new Map([
  ['hofstede', { name: 'Hofstede Zaden', prefix: 'HZ', lots: 0 }],
  ['morales', { name: 'Semillas Morales', prefix: 'SM', lots: 0 }],
  ['dubois', { name: 'Dubois & Fils', prefix: 'DF', lots: 0 }],
]);
const stored = new Map();

export async function growerNamed(slug) {
  await wait(2);
  const grower = growers.get(slug);
  if (!grower) throw problem(404, `no grower ${slug}`);
  return { slug, ...grower };
}

export async function saveLots(slug, lots) {
  await wait(2);
  stored.set(slug, [...(stored.get(slug) ?? []), ...lots]);
  growers.get(slug).lots += lots.length;
}

export async function listLots(slug) {
  return stored.get(slug) ?? [];
}
