import { expect, test } from 'vitest';
import { FairMutex } from './fair-mutex.ts';

/** Creates tasks that end on demand, and records the names of the tasks in the order in which they started. */
function watchedTasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return promise;
  };
  return { begun, task, end: (name: string) => ends.get(name)?.() };
}

test('at most the allowed number of tasks run at a time, and each waiting task starts when a running task ends', async () => {
  const { begun, task, end } = watchedTasks();
  const turns = new FairMutex(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.run('one', task(name)));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  end('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  await Promise.all(all);
});

test("an owner's single task waits for only one of another owner's many tasks", async () => {
  const { begun, task, end } = watchedTasks();
  const turns = new FairMutex();
  const flood = ['1', '2', '3', '4'].map((name) => turns.run('flood', task(name)));
  const quiet = turns.run('quiet', task('only'));
  await expect.poll(() => begun).toEqual(['1']);
  end('1');
  await expect.poll(() => begun).toEqual(['1', '2']);
  end('2');
  await expect.poll(() => begun).toEqual(['1', '2', 'only']);
  end('only');
  await quiet;
  for (const name of ['3', '4']) {
    await expect.poll(() => begun).toContain(name);
    end(name);
  }
  await Promise.all(flood);
});

test('requests for a task that has not started share its result', async () => {
  const { begun, task, end } = watchedTasks();
  const turns = new FairMutex();
  const first = turns.runShared('one', 'key', task('first'));
  const later = ['second', 'third'].map((name) => turns.runShared('one', 'key', task(name)));
  const other = turns.runShared('one', 'other key', task('other'));
  expect(begun).toEqual(['first']);
  end('first');
  await first;
  await expect.poll(() => begun).toEqual(['first', 'second']);
  end('second');
  await Promise.all(later);
  await expect.poll(() => begun).toEqual(['first', 'second', 'other']);
  end('other');
  await other;
});

test('a failed task frees its slot for the next task', async () => {
  const turns = new FairMutex();
  const failed = turns.run('one', () => Promise.reject(new Error('no')));
  const next = turns.run('one', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
