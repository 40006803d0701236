import type { Project } from '@throughline/contract';
import { expect, it } from 'vitest';
import { chooseProject } from './selected-project.ts';

const project = (id: string): Project => ({
  id,
  name: id,
  description: '',
  organizationId: null,
  plan: 'free_trial',
  traceCount: 0,
  daysActive: 0,
  sampling: { sampleRate: null, capture: null },
  redaction: { keys: [], paths: [] },
  public: false,
  createdAt: '2026-01-01T00:00:00.000000Z',
  apiKey: 'tl_••••••••abcd',
});

const both = [project('a'), project('b')];

it('the first project is selected by default', () => {
  expect(chooseProject(both, undefined)?.id).toBe('a');
});

it('the project named in the URL is selected', () => {
  expect(chooseProject(both, 'b')?.id).toBe('b');
});

it('no project is selected if the project named in the URL was deleted', () => {
  expect(chooseProject(both, 'deleted')).toBeUndefined();
});

it('no project is selected while projects load or if there are none', () => {
  expect(chooseProject(undefined, 'a')).toBeUndefined();
  expect(chooseProject([], 'a')).toBeUndefined();
});
