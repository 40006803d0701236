import { describe, expect, it } from 'vitest';
import { createQueryClient } from '../../shell/query-client.ts';
import { createSharedClient } from './link-client.ts';

describe("the query client of a shared trace's page", () => {
  it("adds the link's token to every query", async () => {
    const client = createSharedClient('a-token');
    const tokens = await client.fetchQuery({
      queryKey: ['trace', 'x'],
      queryFn: ({ meta }) => [meta?.sharedToken],
    });
    expect(tokens).toEqual(['a-token']);
  });

  it("shares no cached trace with members' pages", () => {
    const members = createQueryClient();
    members.setQueryData(['trace', 'x'], 'with values');
    expect(createSharedClient('a-token').getQueryData(['trace', 'x'])).toBeUndefined();
    expect(members.getDefaultOptions().queries?.meta).toBeUndefined();
  });

  it('retries failed queries in the same way as the query client of other pages', () => {
    const { meta: _token, retry, ...rest } = createSharedClient('a-token').getDefaultOptions().queries ?? {};
    const { retry: usual, ...others } = createQueryClient().getDefaultOptions().queries ?? {};
    expect(retry).toBe(usual);
    expect(rest).toEqual(others);
  });
});
