import type { Organization } from '@throughline/contract';
import { expect, it } from 'vitest';
import { findActiveSection, listEntries } from './navigation.ts';

it.each([
  ['/app', 'dashboard'],
  ['/dashboard', 'dashboard'],
  ['/', 'dashboard'],
  ['/nothing', 'dashboard'],
  ['/shared/my-errors-token', 'dashboard'],
  ['/projects', 'projects'],
  ['/projects/17/edit', 'projects'],
  ['/raw-traces', 'raw-traces'],
  ['/settings', 'settings'],
  ['/users', 'users'],
  ['/billing', 'billing'],
  ['/analytics', 'analytics'],
  ['/errors', 'errors'],
])('the path %s highlights the sidebar entry %s', (path, section) => {
  expect(findActiveSection(path)).toBe(section);
});

const organization: Organization = {
  id: '01a1fe03-bb50-7231-9674-6d3e7bef65b1',
  name: 'Acme',
  slug: 'acme',
  plan: 'pro',
  memberCount: 1,
  projectCount: 0,
  limits: { maxMembers: 15, maxProjects: 5, maxTracesPerMonth: 1, retentionHours: 1 },
  subscription: { plan: 'pro' },
  role: 'owner',
  demo: false,
};

it('only owners see Users, and only owners and solo users see Billing', () => {
  const sections = (of: Organization | null) => listEntries(of).map((entry) => entry.section);
  expect(sections(organization)).toEqual([
    'dashboard',
    'projects',
    'errors',
    'analytics',
    'raw-traces',
    'settings',
    'users',
    'billing',
  ]);
  for (const role of ['admin', 'developer'] as const) {
    expect(sections({ ...organization, role })).toEqual([
      'dashboard',
      'projects',
      'errors',
      'analytics',
      'raw-traces',
      'settings',
    ]);
  }
  expect(sections(null)).toEqual([
    'dashboard',
    'projects',
    'errors',
    'analytics',
    'raw-traces',
    'settings',
    'billing',
  ]);
});
