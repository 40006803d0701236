import { expect, it } from 'vitest';
import { listProjectsOfTraces } from './known-projects.ts';

it('the projects of listed traces are each listed once, named by the first characters of their id', () => {
  const rows = ['0123456789', '0123456789', 'abcdefghij'].map((projectId) => ({ projectId }));
  expect(listProjectsOfTraces(rows)).toEqual([
    { id: '0123456789', name: 'Project 01234567' },
    { id: 'abcdefghij', name: 'Project abcdefgh' },
  ]);
  expect(listProjectsOfTraces([])).toEqual([]);
});
