import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';

const WIDE = { windowMs: 50, maxGroupBytes: 1000, maxSharedBytes: 1000 };

/** Records the groups as they are written; each write ends when the test releases it. */
function recordWrites(options = WIDE) {
  const groups: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const group = new GroupCommit<string, string>({
    ...options,
    ownerOf: ([owner = '']) => owner,
    async commit(entries) {
      groups.push([...entries]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return entries.map((entry) => `${entry} stored`);
    },
  });
  const letGo = async (index: number) => {
    while (gates[index] === undefined) await new Promise(setImmediate);
    gates[index].resolve();
  };
  const fail = async (index: number) => {
    while (gates[index] === undefined) await new Promise(setImmediate);
    gates[index].reject(new Error('disk full'));
  };
  return { group, groups, letGo, fail };
}

describe('a group commit', () => {
  it('starts immediately if no write is running, and otherwise collects entries until the write ends', async () => {
    const { group, groups, letGo } = recordWrites();
    const first = group.submit('a', 1);
    const others = [group.submit('b', 1), group.submit('c', 1)];
    expect(groups).toEqual([['a']]);
    await letGo(0);
    expect(await first).toBe('a stored');
    await letGo(1);
    expect(await Promise.all(others)).toEqual(['b stored', 'c stored']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  it('resolves no entry before its write has ended, and rejects only the entries whose own write failed', async () => {
    const { group, groups, letGo, fail } = recordWrites();
    let answered = false;
    const first = group.submit('a', 1).finally(() => {
      answered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answered).toBe(false);
    const next = [group.submit('b', 1), group.submit('c', 1)];
    await letGo(0);
    await first;
    const outcomes = Promise.allSettled(next);
    await fail(1);
    await fail(2);
    await letGo(3);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(groups.slice(1)).toEqual([['b', 'c'], ['b'], ['c']]);
    const later = group.submit('d', 1);
    await letGo(4);
    expect(await later).toBe('d stored');
  });

  it('stops writing entries one by one after two of them failed, because then the store itself fails', async () => {
    const { group, groups, letGo, fail } = recordWrites();
    const first = group.submit('a', 1);
    const next = Promise.allSettled(['b', 'c', 'd', 'e'].map((entry) => group.submit(entry, 1)));
    await letGo(0);
    await first;
    for (const index of [1, 2, 3]) await fail(index);
    expect((await next).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(groups.slice(1)).toEqual([['b', 'c', 'd', 'e'], ['b'], ['c']]);
  });

  it('divides entries that are together too large for one group, and writes an entry above the limit on its own', async () => {
    const { group, groups, letGo } = recordWrites({ ...WIDE, windowMs: 1, maxGroupBytes: 10 });
    const all = [
      group.submit('first', 1),
      group.submit('six', 6),
      group.submit('five', 5),
      group.submit('huge', 99),
    ];
    for (const index of [0, 1, 2, 3]) await letGo(index);
    await Promise.all(all);
    expect(groups).toEqual([['first'], ['six'], ['five'], ['huge']]);
  });

  it('takes one entry of each owner in turn, so that no owner waits for another owner’s whole queue', async () => {
    const { group, groups, letGo } = recordWrites({ ...WIDE, windowMs: 1, maxGroupBytes: 3 });
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'b2'].map((entry) => group.submit(entry, 1));
    for (const index of [0, 1, 2, 3]) await letGo(index);
    await Promise.all(all);
    expect(groups).toEqual([['a1'], ['a2', 'b1', 'c1'], ['a3', 'b2', 'a4'], ['a5', 'a6']]);
  });

  it("limits an owner's share of a group while other owners wait, and writes the remaining entries when no other owner waits", async () => {
    const { group, groups, letGo } = recordWrites({ windowMs: 1, maxGroupBytes: 5, maxSharedBytes: 2 });
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1'].map((entry) => group.submit(entry, 1));
    for (const index of [0, 1, 2]) await letGo(index);
    await Promise.all(all);
    expect(groups).toEqual([['a1'], ['a2', 'b1', 'a3'], ['a4', 'a5', 'a6', 'a7']]);
  });

  it("writes an entry larger than an owner's share while other owners' groups are written", async () => {
    const { group, groups, letGo } = recordWrites({ windowMs: 1, maxGroupBytes: 5, maxSharedBytes: 2 });
    const all = [group.submit('a huge', 9), group.submit('b1', 1), group.submit('a1', 1)];
    expect(groups).toEqual([['a huge'], ['b1']]);
    await letGo(1);
    expect(await all[1]).toBe('b1 stored');
    const later = group.submit('b2', 1);
    await letGo(2);
    expect(await later).toBe('b2 stored');
    await letGo(0);
    await letGo(3);
    await Promise.all(all);
    expect(groups).toEqual([['a huge'], ['b1'], ['b2'], ['a1']]);
  });

  it("writes a large entry after its owner's current write, and large entries one after the other", async () => {
    const { group, groups, letGo } = recordWrites({ windowMs: 1, maxGroupBytes: 5, maxSharedBytes: 2 });
    const all = ['a1', 'a huge', 'b huge'].map((entry) => group.submit(entry, entry.length - 1));
    await letGo(1);
    expect(groups).toEqual([['a1'], ['b huge']]);
    expect(await all[2]).toBe('b huge stored');
    await letGo(0);
    await letGo(2);
    await Promise.all(all);
    expect(groups[2]).toEqual(['a huge']);
  });

  it('writes all waiting entries before it closes', async () => {
    const { group, groups, letGo } = recordWrites({ ...WIDE, windowMs: 60_000 });
    const first = group.submit('a', 1);
    await letGo(0);
    await first;
    const waiting = group.submit('b', 1);
    const closed = group.close();
    await letGo(1);
    await closed;
    expect(await waiting).toBe('b stored');
    expect(groups).toEqual([['a'], ['b']]);
  });
});
