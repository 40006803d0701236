import type { GroupField } from '@throughline/contract';
import { expect, it } from 'vitest';
import { formatGroup } from './group-names.ts';

it.each<[GroupField, string | null, string | null, string]>([
  ['endpoint', 'POST', '/orders/:id', 'POST /orders/:id'],
  ['endpoint', 'GET', null, 'GET No path'],
  ['user', null, 'Ünal 1', 'Ünal 1'],
  ['user', null, null, 'No known user'],
  ['release', null, null, 'No release'],
  ['status', null, '503', '503'],
  ['status', null, null, 'No response'],
  ['country', null, 'FR', 'France (FR)'],
  ['country', null, null, 'No known country'],
])(
  'a group of requests by %s with the method %s and the value %s is named %s',
  (field, method, value, name) => {
    expect(formatGroup(field, { method, value })).toBe(name);
  },
);

it('the name of a group shows control characters as escapes', () => {
  expect(formatGroup('user', { method: null, value: 'a\u202eb' })).not.toContain('\u202e');
});
