import { setTimeout as sleep } from 'node:timers/promises';
import { attach } from './gateways.mjs';

const directory = new Map([
  ['zugspitze', 'gw-south'],
  ['brocken', 'gw-north'],
  ['feldberg', 'gw-west'],
  ['arkona', 'gw-north'],
  ['wasserkuppe', 'gw-west'],
]);

for (const [station, gateway] of directory) attach(station, gateway);

export async function loadGateway(stationId) {
  await sleep(3);
  return directory.get(stationId);
}

export async function assignGateway(stationId, gateway) {
  if (!directory.has(stationId)) return false;
  await sleep(3);
  directory.set(stationId, gateway);
  attach(stationId, gateway);
  return true;
}
