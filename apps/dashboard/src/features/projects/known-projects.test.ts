import { expect, it } from 'vitest';
import { listProjectsOfTraces } from './known-projects.ts';

it('the traces of a project produce one entry for the project; the name of the entry is the beginning of the project id', () => {
  const rows = ['0123456789', '0123456789', 'abcdefghij'].map((projectId) => ({ projectId }));
  expect(listProjectsOfTraces(rows)).toEqual([
    { id: '0123456789', name: 'Project 01234567' },
    { id: 'abcdefghij', name: 'Project abcdefgh' },
  ]);
  expect(listProjectsOfTraces([])).toEqual([]);
});
