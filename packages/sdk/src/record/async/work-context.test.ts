import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { load, record, traced } from '../../../test/traced.ts';
import { findContextFrames } from './context-frames.ts';

const HOST = `
const seen = [];
const note = (name) => { seen.push(name + ' ' + first.getStore() + ' ' + second.getStore()) };
function enter(value) { first.enterWith(value) }
function disable() { second.disable() }
function inner(name) { note(name) }
function within(value) { return second.run(value, () => { inner('within'); return wait(1) }) }
function fail() { first.enterWith('failed'); throw new Error('no') }
function* turns() { first.enterWith('turn'); yield 1; inner('second turn'); yield 2 }
async function wait(ms) { inner('waiting'); await sleep(ms); inner('waited') }
async function entering() { inner('entering'); await sleep(1); first.enterWith('entered'); await wait(1); inner('left') }
exports.run = async function run() {
  for (const _ of [1, 2]) {
    enter('a'); note('entered a function');
    await within('w'); note('after run');
    try { fail() } catch { note('after an error') }
    for (const turn of turns()) note('turn ' + turn);
    await entering(); note('after an await');
    await Promise.all([wait(2), within('x'), wait(1)]);
    await second.run('s', async () => { inner('in run'); disable(); inner('disabled'); await wait(1); note('disabled') });
    note('end');
  }
  return seen.sort();
};`;

async function run(how: typeof traced): Promise<Awaited<ReturnType<typeof record>>> {
  const globals = { first: new AsyncLocalStorage(), second: new AsyncLocalStorage(), sleep: wait };
  return record(how(HOST, globals).run, 'structure');
}

describe('the async context', () => {
  it('has the same values of the host as without the SDK, whatever the host enters, runs or disables', async () => {
    const { result } = await run(traced);
    expect(result).toHaveLength(54);
    expect(result).toEqual((await run(load)).result);
  });

  it('is changed without a copy in this version of Node', () => {
    expect(findContextFrames()).not.toBeNull();
  });
});
