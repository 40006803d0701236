import type { Member, PendingInvitation } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { arrangeRows } from '../../ui/tables/arrange-rows.ts';
import { buildPersonRows, countPeople } from './people.ts';
import { PEOPLE_COLUMNS } from './people-table.tsx';

const member = (name: string, role: Member['role'], given: Partial<Member> = {}): Member => ({
  id: name,
  role,
  isActive: true,
  joinedAt: '2026-01-02T00:00:00.000Z',
  lastActiveAt: '2026-02-01T00:00:00.000Z',
  user: { name, email: `${name.toLowerCase()}@test.example` },
  ...given,
});
const invitation: PendingInvitation = {
  id: 'i',
  name: 'Ina',
  email: 'ina@test.example',
  role: 'developer',
  createdAt: '2026-01-05T00:00:00.000Z',
  expiresAt: '2026-01-12T00:00:00.000Z',
  link: 'https://flows.example/invite/x',
  organizationName: 'Acme',
};
const rows = buildPersonRows(
  [
    member('Olga', 'owner', { joinedAt: '2026-01-01T00:00:00.000Z' }),
    member('Dan', 'developer', { isActive: false, lastActiveAt: null }),
    member('Ada', 'admin'),
  ],
  [invitation],
);
const names = (column: string, order: 'ascending' | 'descending' = 'ascending', search = '') =>
  arrangeRows(rows, PEOPLE_COLUMNS, { search, sort: { column, order } }).map((row) => row.name);

describe('members and invited people', () => {
  it('are counted by their status', () => {
    expect(countPeople(rows)).toEqual({ total: 4, active: 2, pending: 1 });
  });

  it('can be sorted by each column, ascending and descending', () => {
    expect(names('user')).toEqual(['Ada', 'Dan', 'Ina', 'Olga']);
    expect(names('role')).toEqual(['Olga', 'Ada', 'Dan', 'Ina']);
    expect(names('status')).toEqual(['Ada', 'Olga', 'Dan', 'Ina']);
    expect(names('joined')).toEqual(['Olga', 'Ada', 'Dan', 'Ina']);
    expect(names('email')).toEqual(['Ada', 'Dan', 'Ina', 'Olga']);
    expect(names('last-active', 'descending')).toEqual(['Ada', 'Olga', 'Dan', 'Ina']);
    expect(names('last-active')).toEqual(['Ada', 'Olga', 'Dan', 'Ina']);
  });

  it('are found by name or email address, ignoring case', () => {
    const found = (search: string) => names('user', 'ascending', search);
    expect(found('OLGA@')).toEqual(['Olga']);
    expect(found(' a ')).toEqual(found('a'));
    expect(found('nobody')).toEqual([]);
    expect(found('pending')).toEqual([]);
  });
});
