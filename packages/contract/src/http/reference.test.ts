import { expect, it } from 'vitest';
import { referenceMarkdown } from './reference.ts';

it('docs/reference.md says what the contract says (`vitest -u` writes it anew)', async () => {
  await expect(`${referenceMarkdown()}\n`).toMatchFileSnapshot('../../../../docs/reference.md');
});
