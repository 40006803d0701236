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

it('selects the first project by itself', () => {
  expect(chooseProject(both, undefined)?.id).toBe('a');
});

it('selects the one that the address names', () => {
  expect(chooseProject(both, 'b')?.id).toBe('b');
});

it('selects no other in place of a named one that is gone', () => {
  expect(chooseProject(both, 'deleted')).toBeUndefined();
});

it('selects none while they load and where there are none', () => {
  expect(chooseProject(undefined, 'a')).toBeUndefined();
  expect(chooseProject([], 'a')).toBeUndefined();
});
