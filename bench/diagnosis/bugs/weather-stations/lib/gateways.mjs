import { setTimeout as sleep } from 'node:timers/promises';

const REPLY_TIMEOUT_MS = 700;

const samples = new Map([
  ['zugspitze', { celsius: -4.2, wind: 31 }],
  ['brocken', { celsius: 3.1, wind: 44 }],
  ['feldberg', { celsius: 6.4, wind: 18 }],
  ['arkona', { celsius: 11.9, wind: 27 }],
  ['wasserkuppe', { celsius: 7.7, wind: 22 }],
]);

const attached = new Map();

export function attach(stationId, gateway) {
  attached.set(stationId, gateway);
}

export async function queryGateway(gateway, stationId) {
  if (attached.get(stationId) !== gateway) {
    await sleep(REPLY_TIMEOUT_MS);
    return null;
  }
  await sleep(4);
  return samples.get(stationId);
}
