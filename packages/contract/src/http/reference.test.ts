import { expect, it } from 'vitest';
import { referenceMarkdown } from './reference.ts';

it('docs/reference.md matches the contract (`vitest -u` rewrites the file)', async () => {
  await expect(`${referenceMarkdown()}\n`).toMatchFileSnapshot('../../../../docs/reference.md');
});
