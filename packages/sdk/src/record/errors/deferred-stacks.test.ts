import { afterEach, expect, test, vi } from 'vitest';
import { record, stepNamed, traced } from '../../../test/traced.ts';
import { DeferredStacks, MAX_HELD_ERRORS, MAX_HELD_MS } from './deferred-stacks.ts';

// The function with which the test runner formats stacks. Tests that need Node's own format remove the function. It is restored after each
// test.
const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

/** Creates deferred stacks, and a list that receives the errors in the order in which their stacks are read. */
function reading() {
  const read: unknown[] = [];
  const stacks = new DeferredStacks();
  const defer = (...errors: unknown[]): void => {
    for (const error of errors) stacks.defer(error, () => read.push(error));
  };
  return { read, stacks, defer };
}

test('stacks are read once, in order, when the request ends', () => {
  const { read, stacks, defer } = reading();
  defer(1, 2, 3);
  expect(read).toEqual([]);
  stacks.readAll();
  stacks.readAll();
  expect(read).toEqual([1, 2, 3]);
});

test('stacks of errors that were collected after a given moment can be read before the others', () => {
  const { read, stacks, defer } = reading();
  defer(1, 2);
  const { count } = stacks;
  defer(3, 4);
  stacks.readAfter(count);
  expect(read).toEqual([3, 4]);
  defer(5);
  stacks.readAll();
  expect(read).toEqual([3, 4, 1, 2, 5]);
});

test('the stack of a released error is never read', () => {
  const { read, stacks, defer } = reading();
  defer(1, 2);
  stacks.forget();
  stacks.readAll();
  expect(read).toEqual([]);
});

test('the stacks of the oldest errors are read if more errors arrive than can be held', () => {
  const { read, stacks, defer } = reading();
  defer(...Array.from({ length: MAX_HELD_ERRORS + 2 }, (_, index) => index));
  expect(read).toEqual([0, 1]);
  const { count } = stacks;
  defer('late');
  stacks.readAfter(count);
  expect(read).toEqual([0, 1, 2, 'late']);
});

test('the stack of an error is read after a delay even if the request has not ended', async () => {
  const { read, stacks, defer } = reading();
  defer(1);
  await vi.waitFor(() => expect(read).toEqual([1]), { timeout: 5 * MAX_HELD_MS });
  defer(2);
  await vi.waitFor(() => expect(read).toEqual([1, 2]), { timeout: 5 * MAX_HELD_MS });
  stacks.forget();
});

test("the stack shows the message that the host's handlers assigned to the error", async () => {
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  const { main } = traced(
    `function charge() { throw new Error('declined') }
     exports.main = async function main() { try { charge() } catch (e) { await wait(${MAX_HELD_MS / 10}); e.message += ' by the bank'; await wait(${2 * MAX_HELD_MS}); return e.stack } }`,
    { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) },
  );
  const { flow, result } = await record(main);
  expect(result).toMatch(/^Error: declined by the bank\n/);
  expect(stepNamed(flow, 'charge').error).toMatchObject({ message: 'declined', stack: result });
});
