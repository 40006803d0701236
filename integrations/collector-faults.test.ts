import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { faults } from './faults/faults.ts';
import { tryFault, whileAtFault } from './faults/trial.ts';

/**
 * Maximum number of bytes by which the memory of the host with the faulty collector exceeds that of the other host. The difference includes
 * 16 MB of traces, pending requests, and the remains of invalid responses.
 */
const heldMore = 40e6;
/** After a rejection of all traces, the SDK retries after 5 minutes. Only collector-faults.long.ts waits for that. */
const soonOver = faults.filter(({ recoversInMs }) => recoversInMs <= 60_000);
const lasting = faults.filter(({ recoversInMs }) => recoversInMs > 60_000);
const load = { seconds: 2, rate: 60, rows: 4 } as const;

describe('if the collector is', () => {
  test.concurrent.each(pickRows(soonOver, { usually: 1 }))(
    '$name, the host responds normally, and every trace is stored in the end',
    async (fault) => {
      const { requests, stored, lost, memory, stderr } = await tryFault(fault, load);
      expect(stored + lost).toBe(requests);
      expect(requests).toBeGreaterThanOrEqual(120);
      expect(lost).toBe(0);
      expect(memory.own.heldBytes - memory.beside.heldBytes).toBeLessThan(heldMore);
      expect(stderr.split('\n').length).toBeLessThan(4);
    },
  );

  test.concurrent.each(lasting)(
    '$name, the host responds normally, and the SDK reports the failure in one line',
    async (fault) => {
      const { requests, posts, latePosts, memory, stderr } = await whileAtFault(fault, {
        ...load,
        seconds: 4,
      });
      expect(requests).toBeGreaterThanOrEqual(240);
      // The SDK sends a batch every half second. If the SDK did not pause after the first response, several batches would arrive.
      expect(posts).toBeGreaterThan(0);
      expect(latePosts).toBe(0);
      expect(memory.own.heldBytes - memory.beside.heldBytes).toBeLessThan(heldMore);
      expect(stderr).toMatch(
        /^\[throughline\] traces are not sent: [^\n]+; npx @throughline\/node doctor [^\n]+\n$/,
      );
    },
  );
});

test.runIf(isThorough())(
  'memory is bounded while the collector is down under high load, and lost traces are counted',
  async () => {
    const [down] = faults;
    if (down === undefined) throw new Error('no fault');
    const { requests, stored, lost, memory } = await tryFault(down, {
      seconds: 8,
      rate: 120,
      rows: 100,
    });
    expect(stored + lost).toBe(requests);
    expect(lost).toBeGreaterThan(0);
    expect(memory.own.heldBytes - memory.beside.heldBytes).toBeLessThan(heldMore);
  },
);
