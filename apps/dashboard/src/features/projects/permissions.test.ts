import type { Organization } from '@throughline/contract';
import { expect, it } from 'vitest';
import { mayCreateProject, mayDoWith } from './permissions.ts';

const organization = (role: Organization['role']): Organization => ({
  id: '0198c000-0000-7000-8000-000000000001',
  name: 'Shop',
  slug: 'shop',
  plan: 'pro',
  memberCount: 3,
  projectCount: 1,
  limits: { maxMembers: 15, maxProjects: 5, maxTracesPerMonth: 2_000_000, retentionHours: 504 },
  subscription: { plan: 'pro' },
  role,
  demo: false,
});

const solo = { organization: null };
const owner = { organization: organization('owner') };
const developer = { organization: organization('developer') };
const own = { organizationId: null };
const shared = { organizationId: organization('owner').id };
const foreign = { organizationId: '0198c000-0000-7000-8000-000000000002' };

it('everybody except developers can create projects', () => {
  expect([solo, owner, developer].map(mayCreateProject)).toEqual([true, true, false]);
});

it('developers can read the API key, but cannot regenerate it or delete the project', () => {
  expect(mayDoWith(developer, shared, 'key.read')).toBe(true);
  expect(mayDoWith(developer, shared, 'key.regenerate')).toBe(false);
  expect(mayDoWith(developer, shared, 'projects.delete')).toBe(false);
  expect(mayDoWith(owner, shared, 'projects.delete')).toBe(true);
});

it('developers of an organization can delete projects that belong to no organization', () => {
  expect(mayDoWith(developer, own, 'projects.delete')).toBe(true);
});

it("no action is offered for another organization's project", () => {
  expect(mayDoWith(owner, foreign, 'key.read')).toBe(false);
  expect(mayDoWith(solo, shared, 'projects.read')).toBe(false);
});
