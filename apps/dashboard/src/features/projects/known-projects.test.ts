import { expect, it } from 'vitest';
import { projectsOfTraces } from './known-projects.ts';

it('each project that has traces is listed once, under the first digits of its id', () => {
  const rows = ['0123456789', '0123456789', 'abcdefghij'].map((projectId) => ({ projectId }));
  expect(projectsOfTraces(rows)).toEqual([
    { id: '0123456789', name: 'Project 01234567' },
    { id: 'abcdefghij', name: 'Project abcdefgh' },
  ]);
  expect(projectsOfTraces([])).toEqual([]);
});
