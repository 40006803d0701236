import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`: '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test.each(rows)('the test that tries the attack "%s" exists', (_attack, _defence, triedBy) => {
  const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(triedBy ?? '') ?? [];
  expect(readFileSync(join(root, file), 'utf8')).toContain(name);
});

test('docs/security.md contains a table of attacks, and the test finds the table', () => {
  expect(rows.length).toBeGreaterThan(20);
});
