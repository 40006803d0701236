import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DECOY } from './password-cost.ts';
import { PasswordThreads } from './password-threads.ts';
import { hashPassword, matchesPassword } from './passwords.ts';

describe('a password', () => {
  test('matches its own hash, which differs each time', async () => {
    const [first, second] = await Promise.all([hashPassword('пароль'), hashPassword('пароль')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await matchesPassword('пароль', first)).toBe(true);
    expect(await matchesPassword('Пароль', first)).toBe(false);
  });

  test('of an unknown account is hashed at the same cost as a real password, and never matches', async () => {
    const readCost = (hash: string) => hash.split('$').slice(1, 4);
    expect(readCost(DECOY)).toEqual(readCost(await hashPassword('x')));
    expect(DECOY.length).toBe((await hashPassword('x')).length);
    expect(await matchesPassword('x', undefined)).toBe(false);
  });

  test('with an unreadable hash leads to a server error, not to a wrong-password error', async () => {
    await expect(matchesPassword('x', 'not a hash')).rejects.toThrow('could not be hashed');
  });
});

describe('the password threads', () => {
  test('reject passwords beyond the limit of their queue, with Retry-After', async () => {
    const threads = new PasswordThreads({ threads: 1, mostWaiting: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => threads.hash('x')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    // Six logins are refused. Of the other four, one password is being hashed and three are waiting.
    expect(refused).toHaveLength(6);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '10' } });
    expect(await threads.hash('x')).toMatch(/^\$argon2id/);
  });

  test('hash passwords while the main thread continues with other work', async () => {
    const threads = new PasswordThreads({ threads: 1 });
    let turns = 0;
    let ended = false;
    const turning = (async () => {
      while (!ended) {
        await wait(0);
        turns += 1;
      }
    })();
    await Promise.all(Array.from({ length: 10 }, () => threads.hash('x')));
    ended = true;
    await turning;
    expect(turns).toBeGreaterThan(10);
  });

  test('fail only their current task if they crash, and are replaced', async () => {
    const file = new URL('data:text/javascript,process.exit(1)');
    const threads = new PasswordThreads({ threads: 1, file });
    await expect(threads.hash('x')).rejects.toThrow('ended');
    await expect(threads.hash('x')).rejects.toThrow('ended');
  });
});
