import { setTimeout as wait } from 'node:timers/promises';

const clients = new Map([
  ['key-security', { name: 'Security desk', doors: ['lobby', 'server-room', 'garage'] }],
  ['key-facility', { name: 'Facility team', doors: ['lobby', 'garage'] }],
  ['key-audit', { name: 'Audit export', doors: ['lobby', 'server-room', 'garage'] }],
]);

export async function findClient(request) {
  await wait(1);
  const client = clients.get(request.headers['x-api-key']);
  if (!client) throw Object.assign(new Error('unknown key'), { status: 401 });
  return client;
}

export function assertMayRead(client, door) {
  if (!client.doors.includes(door)) throw Object.assign(new Error(`no access to ${door}`), { status: 403 });
}
