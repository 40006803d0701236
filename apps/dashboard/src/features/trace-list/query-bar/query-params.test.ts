import { describe, expect, it } from 'vitest';
import { TraceFilterParams, ViewParams } from '../../../shell/url-state/search-params.ts';
import { parseSearch } from '../../../shell/url-state/search-text.ts';
import { addQuery, listActiveTerms, removeTerm } from './query-params.ts';

const readView = (address: string) => ViewParams.parse(parseSearch(address));
const listChips = (address: string) => listActiveTerms(readView(address)).map(({ text }) => text);

/** A valid value of each filter's URL parameter, as in existing links. */
const VALUES: Readonly<Record<string, string>> = {
  method: 'PATCH',
  code: '500',
  statusClass: '5xx',
  status: 'error',
  minCalls: '8',
  minSteps: '3',
  maxSteps: '9',
  min: '5',
  max: '20.5',
  services: 'named',
  callers: 'unnamed',
  users: 'known',
  country: 'DE',
  stepType: 'database',
  stepStatus: 'success',
  requests: '0192f3c4-5a6b-7c8d-9e0f-112233445566',
  errorIds: '0cc175b9c0f1b6a831c399e269772661',
  exclude: '-instance:w3 -user:19',
};
const TIMES = ['from', 'to', 'start', 'end', 'last'];

describe('the chips of the query field', () => {
  it('show each filter of the URL, and removing all chips of a filter removes the filter from the URL', () => {
    for (const name of Object.keys(TraceFilterParams.shape)) {
      if (TIMES.includes(name)) continue;
      const view = readView(`?${new URLSearchParams({ [name]: VALUES[name] ?? 'some text' })}`);
      const terms = listActiveTerms(view);
      expect(terms.length, name).toBe(name === 'exclude' ? 2 : 1);
      let left = view;
      for (const term of terms) left = { ...left, ...removeTerm(left, term) };
      expect(listActiveTerms(left), name).toEqual([]);
      expect(Object.values(left).filter((value) => value !== undefined)).toEqual([]);
    }
  });

  it('show the terms that a user would type', () => {
    expect(
      listChips('?status=error&code=500&q=two+words&user=a+b&min=1000.001&exclude=-instance:w3'),
    ).toEqual(['status:error', 'status:500', 'duration:>1s', 'user:"a b"', '-instance:w3', '"two words"']);
  });

  it('ignore an invalid list of excluded values', () => {
    for (const exclude of ['instance:w3', 'stauts', '-steps:>=2', '-has:user', 'a -user:1', ''])
      expect(listChips(`?${new URLSearchParams({ exclude })}`), exclude).toEqual([]);
  });
});

describe('a typed query', () => {
  const add = (address: string, text: string) => {
    const view = readView(address);
    return listActiveTerms({ ...view, ...addQuery(view, text).change }).map((term) => term.text);
  };

  it('replaces the value of a filter, and adds to the excluded values', () => {
    expect(add('?user=1&exclude=-user:2', 'user:3 -user:4 -user:2')).toEqual([
      'user:3',
      '-user:2',
      '-user:4',
    ]);
    expect(add('?status=error', '')).toEqual(['status:error']);
  });

  it('does not change the URL if the query is invalid', () => {
    const { change, problem } = addQuery({}, 'status:500 stauts:1');
    expect(change).toBeUndefined();
    expect(problem).toMatchObject({ start: 11, end: 17 });
    const many = Array.from({ length: 50 }, (_, at) => `-user:${at}`).join(' ');
    expect(addQuery({ exclude: many }, '-user:a').problem).toMatchObject({ start: 0, end: 7 });
  });
});
