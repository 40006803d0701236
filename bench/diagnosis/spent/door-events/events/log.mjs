import { setTimeout as wait } from 'node:timers/promises';

const log = [
  ['e-301', 'lobby', '2025-06-02T07:58:12.104Z', 'opened', 'b-114'],
  ['e-302', 'lobby', '2025-06-02T08:01:40.550Z', 'opened', 'b-207'],
  ['e-303', 'lobby', '2025-06-02T08:03:05.021Z', 'denied', 'b-990'],
  ['e-304', 'lobby', '2025-06-02T08:09:55.873Z', 'opened', 'b-118'],
  ['e-305', 'lobby', '2025-06-02T08:15:31.662Z', 'opened', 'b-133'],
  ['e-306', 'garage', '2025-06-02T08:02:11.400Z', 'opened', 'b-207'],
  ['e-307', 'garage', '2025-06-02T08:20:45.981Z', 'opened', 'b-160'],
  ['e-308', 'garage', '2025-06-02T08:31:09.315Z', 'denied', 'b-114'],
  ['e-309', 'server-room', '2025-06-02T09:00:00.250Z', 'opened', 'b-118'],
  ['e-310', 'server-room', '2025-06-02T09:14:22.707Z', 'denied', 'b-990'],
  ['e-311', 'server-room', '2025-06-02T09:14:22.707Z', 'forced', null],
  ['e-312', 'server-room', '2025-06-02T09:15:02.118Z', 'alarm', null],
  ['e-313', 'server-room', '2025-06-02T09:21:37.940Z', 'opened', 'b-114'],
].map(([id, door, at, kind, badge]) => ({ id, door, at, kind, badge }));

export async function readEvents(door) {
  await wait(6);
  return log.filter((event) => event.door === door);
}
