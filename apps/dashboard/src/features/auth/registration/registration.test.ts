import { expect, it } from 'vitest';
import { findProblem as find, type RegistrationValues, stripSlug } from './registration.ts';

const findProblem = (values: RegistrationValues) => find(values, false);
const good: RegistrationValues = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'sixsix',
  confirmation: 'sixsix',
  organizationName: '',
  organizationSlug: '',
};

it('a registration form whose fields are all valid has no problem', () => {
  expect(findProblem(good)).toBeUndefined();
  expect(findProblem({ ...good, name: '李', email: ' Ada@Example.com ' })).toBeUndefined();
});

it.each([
  ['no name', { name: ' ' }, 'name', 'All fields are required'],
  ['no address', { email: '' }, 'email', 'All fields are required'],
  ['no password', { password: '', confirmation: '' }, 'password', 'All fields are required'],
  ['no confirmation', { confirmation: '' }, 'confirmation', 'Passwords do not match'],
  ['another confirmation', { confirmation: 'SIXSIX' }, 'confirmation', 'Passwords do not match'],
  [
    'a short password',
    { password: 'short', confirmation: 'short' },
    'password',
    'Password must be at least 6 characters long',
  ],
  ['no address in the address', { email: 'ada' }, 'email', 'Please enter a valid email address'],
  ['an address without a domain', { email: 'ada@' }, 'email', 'Please enter a valid email address'],
  ['a name too long', { name: 'x'.repeat(101) }, 'name', 'Name must be at most 100 characters long'],
])('a form with %s is rejected', (_what, change, field, message) => {
  expect(findProblem({ ...good, ...change })).toEqual({ field, message });
});

it('only the first problem of a registration form is reported, in this order: empty field, different passwords, short password, invalid address', () => {
  const all = { ...good, name: '', email: 'x', password: 'a', confirmation: 'b' };
  expect(findProblem(all)?.message).toBe('All fields are required');
  expect(findProblem({ ...all, name: 'A' })?.message).toBe('Passwords do not match');
  expect(findProblem({ ...all, name: 'A', confirmation: 'a' })?.message).toBe(
    'Password must be at least 6 characters long',
  );
  expect(findProblem({ ...all, name: 'A', password: 'aaaaaa', confirmation: 'aaaaaa' })?.message).toBe(
    'Please enter a valid email address',
  );
});

it('a password can consist of spaces', () => {
  expect(findProblem({ ...good, password: '      ', confirmation: '      ' })).toBeUndefined();
});

it.each([
  ['no name', { organizationName: ' ' }, 'organizationName', 'All fields are required'],
  ['no slug', { organizationSlug: '' }, 'organizationSlug', 'All fields are required'],
  [
    'a slug of other letters',
    { organizationSlug: 'Acmé' },
    'organizationSlug',
    'Organization slug can only contain lowercase letters, numbers, and hyphens',
  ],
])('an organization with %s is rejected', (_what, change, field, message) => {
  const organization = { ...good, organizationName: 'Acme', organizationSlug: 'acme' };
  expect(find(organization, true)).toBeUndefined();
  expect(find({ ...organization, ...change }, true)).toEqual({ field, message });
});

it.each([
  ['Acme Inc.', 'acme-inc'],
  ['ÄÖ_x 9', 'x-9'],
  ['a--b', 'a--b'],
  ['日本', ''],
])('the organization name %j is converted to the slug %j', (typed, slug) => {
  expect(stripSlug(typed)).toBe(slug);
});
