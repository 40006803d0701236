import type { Host } from './host.ts';

/**
 * Sends `rate` requests per second to each host, alternating between the hosts, so that a disturbance of the machine affects all hosts.
 * Requests start at regular intervals. Returns the durations in milliseconds, by host.
 */
export async function ask(
  hosts: readonly Host[],
  rate: number,
  seconds: number,
): Promise<readonly number[][]> {
  const asked = hosts.map((host) => ({ host, times: [] as number[] }));
  const count = Math.max(1, Math.round(seconds * rate)) * hosts.length;
  const first = Math.floor(Math.random() * hosts.length);
  const started = performance.now();
  const open: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const wait = started + (index * 1000) / rate / hosts.length - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const one = asked[(index + first) % hosts.length];
    if (one !== undefined) open.push(timed(one.host, one.times));
    // After each `rate` requests, waits for their responses, so that `open` stays short and a failure ends the load.
    if (open.length >= rate) await Promise.all(open.splice(0));
  }
  await Promise.all(open);
  return asked.map(({ times }) => times);
}

async function timed(host: Host, times: number[]): Promise<void> {
  times.push(await host.request());
}
