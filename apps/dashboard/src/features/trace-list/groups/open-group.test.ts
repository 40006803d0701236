import { describe, expect, it } from 'vitest';
import { openGroup } from './open-group.ts';

const grouped = { project: 'p', groupBy: 'endpoint', groupSort: 'p95', sort: 'steps' } as const;

describe('the list of a group', () => {
  it('keeps the filters of the grouped list and adds the group’s filter term', () => {
    expect(openGroup({ ...grouped, status: 'error' }, 'method:POST endpoint:"/a b"')).toEqual({
      project: 'p',
      sort: 'steps',
      status: 'error',
      method: 'POST',
      endpoint: '/a b',
    });
  });

  it.each([
    ['-has:user', { users: 'unknown' }],
    ['status:0', { code: '0' }],
    ['country:ZZ', { country: 'ZZ' }],
    ['errorGroup:"cannot read …"', { errorGroup: 'cannot read …' }],
  ])('with the term %s is filtered by %j', (term, filter) => {
    expect(openGroup(grouped, term)).toEqual({ project: 'p', sort: 'steps', ...filter });
  });
});
