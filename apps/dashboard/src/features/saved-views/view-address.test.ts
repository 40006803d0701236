import { SAVED_PARAMS, type SavedView } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { TraceFilterParams, ViewParams } from '../../shell/url-state/search-params.ts';
import { buildViewSearch, isViewOpen, readSavedParams } from './view-address.ts';

const PROJECT = '00000000-0000-7000-8000-000000000001';

const build = (view: Partial<SavedView>): SavedView => ({
  id: '00000000-0000-7000-8000-000000000002',
  name: 'view',
  projectId: PROJECT,
  page: 'dashboard',
  params: {},
  shared: false,
  createdBy: null,
  editable: true,
  pinnedAt: null,
  ...view,
});

it('a saved view can store every filter of a list, and how the list is sorted and grouped', () => {
  const names = [...Object.keys(TraceFilterParams.shape), 'sort', 'groupBy', 'groupSort'];
  expect([...SAVED_PARAMS].sort()).toEqual(names.sort());
  expect(Object.keys(ViewParams.shape)).toEqual(expect.arrayContaining(names));
});

describe('the parameters that are saved', () => {
  it('are the filters of the list, without the open trace', () => {
    const params = ViewParams.parse({
      project: PROJECT,
      status: 'error',
      q: '',
      trace: 'x',
      differences: 'shown',
      sort: 'steps',
    });
    expect(readSavedParams(params)).toEqual({ status: 'error', sort: 'steps' });
  });

  it('contain the time range as in the URL, so that the last hour stays the last hour', () => {
    const from = '2026-01-01T00:00:00Z';
    const to = '2026-01-01T01:00:00Z';
    expect(readSavedParams({ last: '1h' })).toEqual({ last: '1h' });
    expect(readSavedParams({ start: '2026-01-01', end: '2026-01-02' })).toEqual({
      start: '2026-01-01',
      end: '2026-01-02',
    });
    expect(readSavedParams({ from, to })).toEqual({ from, to });
    // If a range ends before it starts, its end is dropped.
    expect(readSavedParams({ from: to, to: from })).toEqual({ from: to });
  });
});

describe('a saved view', () => {
  it('is opened with its project and filters', () => {
    const view = build({ params: { status: 'error', last: '1h', sort: 'steps' } });
    expect(buildViewSearch(view)).toMatchObject({
      project: PROJECT,
      status: 'error',
      last: '1h',
      sort: 'steps',
    });
  });

  it('is opened without filters that this version of the dashboard does not support', () => {
    const view = build({ params: { status: 'error', method: 'a b', gone: 'x' } });
    expect(ViewParams.parse(buildViewSearch(view))).toEqual({ project: PROJECT, status: 'error' });
  });

  it('is marked as open in the sidebar, whether or not a trace is open', () => {
    const view = build({ params: { last: '24h', route: '/a' } });
    const search = ViewParams.parse({ ...buildViewSearch(view), trace: 'x', step: '1' });
    expect(isViewOpen(view, '/dashboard', search)).toBe(true);
    expect(isViewOpen(view, '/app', search)).toBe(true);
  });

  it.each<[string, string, object]>([
    ['another page', '/raw-traces', {}],
    ['a trace', '/traces/1', {}],
    ['another project', '/dashboard', { project: 'other' }],
    ['one filter more', '/dashboard', { method: 'GET' }],
    ['one filter less', '/dashboard', { route: undefined }],
    ['another time range', '/dashboard', { last: '1h' }],
    ['another order', '/dashboard', { sort: 'duration' }],
  ])('is not marked as open on %s', (_what, path, change) => {
    const view = build({ params: { last: '24h', route: '/a' } });
    expect(isViewOpen(view, path, ViewParams.parse({ ...buildViewSearch(view), ...change }))).toBe(false);
  });

  it('of all projects is open only while no project is selected', () => {
    const view = build({ projectId: null, page: 'raw-traces', params: { status: 'error' } });
    expect(isViewOpen(view, '/raw-traces', { status: 'error' })).toBe(true);
    expect(isViewOpen(view, '/raw-traces', { status: 'error', project: PROJECT })).toBe(false);
  });
});
