import { createFakeClock } from '@throughline/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAttemptMemory, createLoginThrottle, type LoginThrottle } from './login-throttle.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let clock = createFakeClock();
let throttle: LoginThrottle;
beforeEach(() => {
  clock = createFakeClock();
  throttle = createLoginThrottle(clock, createAttemptMemory(), 'password');
});

const guess = async (times: number, email = 'ada@test.example', address = '10.0.0.1') => {
  let waitMs = 0;
  for (let attempt = 0; attempt < times; attempt += 1) waitMs = await throttle.attempt(email, address);
  return waitMs;
};

describe('guessing a password', () => {
  test('is possible ten times without delay; each later guess doubles the delay, up to 15 minutes', async () => {
    expect(await guess(10)).toBe(0);
    const waits = [];
    for (let round = 0; round < 7; round += 1) {
      const waitMs = await guess(1);
      waits.push(waitMs / MINUTE_MS);
      clock.advance(waitMs);
      expect(await guess(1)).toBe(0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
  });

  test('during the delay does not make the delay longer', async () => {
    await guess(10);
    expect(await guess(50)).toBe(MINUTE_MS);
    clock.advance(MINUTE_MS);
    expect(await guess(1)).toBe(0);
  });

  test('is counted from zero again after an hour without guesses', async () => {
    await guess(10);
    clock.advance(HOUR_MS);
    expect(await guess(10)).toBe(0);
  });

  test('from many IP addresses is limited to ten attempts a minute per account', async () => {
    let taken = 0;
    for (let address = 0; address < 600; address += 1) {
      if ((await guess(1, undefined, `10.0.${address >> 8}.${address & 255}`)) === 0) taken += 1;
      clock.advance(SECOND_MS);
    }
    // Ten attempts are possible immediately, and ten a minute in the ten minutes that the loop simulates.
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(111);
    expect(await guess(1, undefined, '10.9.9.9')).toBeLessThanOrEqual(6 * SECOND_MS);
  });

  test('delays neither the owner at a known IP address nor other accounts', async () => {
    await throttle.succeeded('ada@test.example', '192.168.0.7');
    await guess(100, 'ada@test.example', '10.6.6.6');
    expect(await guess(1, 'ada@test.example', '192.168.0.7')).toBe(0);
    expect(await guess(1, 'bob@test.example', '10.6.6.6')).toBe(0);
  });

  test('is counted from zero again after a correct password', async () => {
    await guess(9);
    await throttle.succeeded('ada@test.example', '10.0.0.1');
    expect(await guess(10)).toBe(0);
  });
});
