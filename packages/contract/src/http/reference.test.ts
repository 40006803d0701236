import { expect, it } from 'vitest';
import { writeReference } from './reference.ts';

it('docs/reference.md matches the contract (`vitest -u` rewrites the file)', async () => {
  await expect(`${writeReference()}\n`).toMatchFileSnapshot('../../../../docs/reference.md');
});
