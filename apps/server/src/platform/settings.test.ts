import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { formatSettingsHelp, formatSettingsPage, listSettings } from './settings.ts';

test('docs/settings.md matches the code: `npx vitest run --project server settings -u` rewrites the file', async () => {
  const page = join(import.meta.dirname, '../../../../docs/settings.md');
  await expect(formatSettingsPage()).toMatchFileSnapshot(page);
});

test('the documented defaults are the actual defaults, and the help lists every setting', () => {
  const start = { production: false, demo: true };
  const defaults = listSettings().flatMap(({ name, byDefault }) =>
    byDefault === undefined ? [] : [[name, byDefault] as const],
  );
  expect(defaults.length).toBeGreaterThan(8);
  expect(readConfig(start, Object.fromEntries(defaults))).toEqual(readConfig(start, {}));
  const help = formatSettingsHelp();
  for (const { name } of listSettings()) expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
