import { expect, it } from 'vitest';
import { findProblem, type SoloFormValues } from './solo-registration.ts';

const good: SoloFormValues = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'sixsix',
  confirmation: 'sixsix',
};

it('accepts a form that is filled in', () => {
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
])('refuses %s', (_what, change, field, message) => {
  expect(findProblem({ ...good, ...change })).toEqual({ field, message });
});

it('names the first problem in order: empty, different, short, address', () => {
  const all = { name: '', email: 'x', password: 'a', confirmation: 'b' };
  expect(findProblem(all)?.message).toBe('All fields are required');
  expect(findProblem({ ...all, name: 'A' })?.message).toBe('Passwords do not match');
  expect(findProblem({ ...all, name: 'A', confirmation: 'a' })?.message).toBe(
    'Password must be at least 6 characters long',
  );
  expect(findProblem({ ...all, name: 'A', password: 'aaaaaa', confirmation: 'aaaaaa' })?.message).toBe(
    'Please enter a valid email address',
  );
});

it('takes spaces for a password: they are characters like others', () => {
  expect(findProblem({ ...good, password: '      ', confirmation: '      ' })).toBeUndefined();
});
