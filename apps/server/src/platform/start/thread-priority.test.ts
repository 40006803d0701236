import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { expect, test } from 'vitest';

test.runIf(platform() === 'linux')('a thread of a server with a low priority keeps this priority', () => {
  const source = `
    import { getPriority, setPriority } from 'node:os';
    import { lowerThreadPriority } from ${JSON.stringify(new URL('./thread-priority.ts', import.meta.url).href)};
    setPriority(15);
    lowerThreadPriority();
    process.stdout.write(String(getPriority()));
  `;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })).toBe(
    '15',
  );
});
