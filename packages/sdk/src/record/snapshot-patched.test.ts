import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('in a host that replaced and froze built-in functions of the language', () => {
  it('values are captured as usual, and no replacement runs', async () => {
    const host = fileURLToPath(new URL('./patched.fixture.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=source',
      '--no-warnings',
      host,
    ]);
    const { ran, taken, message, stack } = JSON.parse(stdout);
    expect(ran).toEqual([]);
    expect(message).toBe('bad');
    // The host has replaced the function that formats stacks, too, so only the cause is shown.
    expect(stack).toBe('[cause]: why');
    expect(taken).toMatchObject({
      list: [1, 'two', { a: 1 }, { $type: 'reference', path: ['v', 'list', 2] }],
      map: { $type: 'Map', size: 1, entries: [['k', { deep: true }]] },
      set: { $type: 'Set', values: [1] },
      date: { $type: 'Date', value: '1970-01-01T00:00:00.000Z' },
      regexp: { $type: 'RegExp', source: 'x', flags: 'gi' },
      bytes: { $type: 'Buffer', size: 5, base64: 'aGVsbG8=' },
      floats: { $type: 'TypedArray', values: [0.5] },
      error: {
        $type: 'Error',
        class: 'TypeError',
        message: 'bad',
        cause: 'why',
      },
      big: { $type: 'bigint', value: '5' },
      long: { $type: 'string', value: 'é'.repeat(20), length: 5000 },
      boxed: { class: 'Number', properties: { value: 1 } },
      url: { class: 'URL', properties: { href: 'http://h/' } },
      work: { $type: 'function', name: 'work' },
    });
    expect(taken.many[39]).toEqual({ n: 39 });
  });
});
