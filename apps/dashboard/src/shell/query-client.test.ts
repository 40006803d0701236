import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

it('queries and mutations run while the browser is offline, since the server may be on the same machine', async () => {
  const client = createQueryClient();
  onlineManager.setOnline(false);
  expect(await client.fetchQuery({ queryKey: ['x'], queryFn: async () => 'answer' })).toBe('answer');
  const mutation = client.getMutationCache().build(client, { mutationFn: async () => 'changed' });
  expect(await mutation.execute(undefined)).toBe('changed');
});
