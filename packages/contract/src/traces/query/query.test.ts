import { describe, expect, it, test } from 'vitest';
import { TraceFilters } from '../traces.ts';
import { formatTraceQuery } from './format-query.ts';
import { describeProblem, MAX_EXCLUDED, parseTraceQuery } from './parse-query.ts';
import { QUERY_FIELDS } from './query-fields.ts';
import { parseValueCondition } from './value-condition.ts';

const read = (text: string) => parseTraceQuery(text).filters;
const refusal = (text: string) => {
  const { problem } = parseTraceQuery(text);
  return problem && describeProblem(problem);
};

describe('a query', () => {
  it('sets one filter per term', () => {
    expect(
      read(
        `status:5xx route:/checkout duration:>1s user:19 release:1.4.2 error:"reading 'rate'" step:charge -instance:w3`,
      ),
    ).toEqual({
      statusClass: '5xx',
      route: '/checkout',
      minDuration: 1000.001,
      user: '19',
      release: '1.4.2',
      errorText: "reading 'rate'",
      stepName: 'charge',
      excluded: { instance: ['w3'] },
    });
  });

  it.each([
    ['', {}],
    ['  checkout ', { search: 'checkout' }],
    ['/orders:17', { search: '/orders:17' }],
    ['-foo', { search: '-foo' }],
    ['"two words"', { search: 'two words' }],
    ['status:error status:500', { status: 'error', statusCode: 500 }],
    ['STATUS:5XX', { statusClass: '5xx' }],
    ['duration:>=1.5s duration:<=2m', { minDuration: 1500, maxDuration: 120_000 }],
    ['duration:<1s', { maxDuration: 999.999 }],
    ['steps:>10 steps:<5', { minSteps: 11, maxSteps: 4 }],
    ['-has:user has:service', { users: 'unknown', services: 'named' }],
    ['-status:500 -status:404 -status:500', { excluded: { statusCode: [500, 404] } }],
    ['user:19 user:19', { user: '19' }],
    [String.raw`step:"say \"hi\" \\ there"`, { stepName: String.raw`say "hi" \ there` }],
    ['method:post country:gb', { method: 'POST', country: 'GB' }],
    ['value:charge.order.totalCents>50000 user:19', { value: 'charge.order.totalCents>50000', user: '19' }],
    ['value:city="New York" user:19', { value: 'city="New York"', user: '19' }],
    ['value:"no stock" user:19', { value: 'no stock', user: '19' }],
  ])('can be parsed: %j', (text, filters) => {
    expect(read(text)).toEqual(filters);
  });

  test.each([
    ['stauts:500', 'Characters 1 to 6: Unknown field “stauts”. Did you mean “status”?'],
    ['user:1 zzzzzz:2', /^Characters 8 to 13: Unknown field “zzzzzz”\. Fields are status, method, /],
    ['status:oops', /^Characters 8 to 11: “oops” is not a status\. Write error, success, a code/],
    ['duration:1s', 'Characters 10 to 11: Write > or < before a duration: >1s or <1s.'],
    [
      'duration:fast',
      'Characters 10 to 13: “fast” is not a duration. Write a duration such as >1s, <=250ms or <2min.',
    ],
    ['steptype:databse', /Did you mean “database”\?$/],
    ['user:', 'Characters 1 to 5: Write a value after “user:”, such as user:19.'],
    ['error:"no end', 'Characters 7 to 13: The closing quote is missing.'],
    ['"a"b', 'Character 4: Put a space after the closing quote.'],
    ['-dependency:redis', 'Characters 1 to 17: “dependency” cannot be excluded. Remove the minus.'],
    ['user:1 user:2', 'Characters 8 to 13: “user” is given twice. Remove one of them.'],
    ['two words', /^Characters 5 to 9: Text is given twice\. Put words that belong together in quotes/],
    ['country:Germany', /Write its two letters, such as GB\.$/],
    ['calls:<3', 'Characters 7 to 8: Only a minimum can be given: >=3.'],
    [
      'value:total>abc',
      /^Characters 7 to 15: “abc” is not a number\. Compare with a number, such as total>5, or/,
    ],
    ['value:total>', 'Characters 7 to 12: Write a value after >, such as total>5.'],
    ['value:>5', 'Characters 7 to 8: Write a name before >, such as totalCents>5.'],
    ['value:order..total>5', /^Characters 7 to 20: “order\.\.total” has a dot without a name beside it\./],
    [
      '-value:country=UK -value:country=FR',
      'Characters 19 to 35: Exclude at most one captured value. Remove one of them.',
    ],
    [
      '-step:a -step:b -step:c -step:d -step:e -step:f',
      'Characters 41 to 47: Exclude at most 5 steps. Remove one of them.',
    ],
    [
      '-attribute:a -attribute:b:1 -attribute:c -attribute:d -attribute:e -attribute:f',
      'Characters 68 to 79: Exclude at most 5 attributes. Remove one of them.',
    ],
    ['id:17', /^Characters 4 to 5: Write 1 to 100 ids of traces/],
  ])('is rejected with the position and the fix: %j', (text, message) => {
    expect(refusal(text)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it.each([
    ['stauts:500 user:1', 'status:500 user:1'],
    ['duration:1s', 'duration:>1s'],
    ['-dependency:redis', 'dependency:redis'],
    ['error:"no end ', 'error:"no end"'],
    ['"a"b', '"a" b'],
    ['steptype:databse', 'steptype:database'],
  ])('%j becomes %j if the suggested replacement is applied', (text, mended) => {
    const { problem } = parseTraceQuery(text);
    const { start = 0, end = 0, replacement = '' } = problem ?? {};
    expect(text.slice(0, start) + replacement + text.slice(end)).toBe(mended);
  });

  it('that is the example of a field is valid, and stays the same when it is formatted', () => {
    for (const { example, name } of QUERY_FIELDS) {
      expect(refusal(example), name).toBeUndefined();
      expect(formatTraceQuery(read(example) ?? {})).toBe(example);
    }
  });

  it('can exclude only a limited number of values', () => {
    const terms = Array.from({ length: MAX_EXCLUDED + 1 }, (_, at) => `-user:${at}`);
    expect(refusal(terms.slice(1).join(' '))).toBeUndefined();
    expect(refusal(terms.join(' '))).toMatch(/Exclude at most 50 values\.$/);
  });

  it.each([
    ['no stock', { kind: 'text', text: 'no stock' }],
    ['"a=b"', { kind: 'text', text: 'a=b' }],
    ['two words=1', { kind: 'text', text: 'two words=1' }],
    ['country=UK', { path: ['country'], operator: '=', value: 'UK', quoted: false }],
    ['zip="10115"', { path: ['zip'], operator: '=', value: '10115', quoted: true }],
    ['charge.order.total>=5e4', { path: ['charge', 'order', 'total'], operator: '>=', value: '5e4' }],
  ])('can contain a condition on captured values, such as %j', (written, condition) => {
    expect(parseValueCondition(written).condition).toMatchObject(condition);
  });

  it('is validated as an API parameter', () => {
    expect(TraceFilters.safeParse({ value: 'total>abc' }).error?.issues).toMatchObject([
      { path: ['value'], message: expect.stringMatching(/^value: “abc” is not a number/) },
    ]);
    expect(TraceFilters.safeParse({ q: 'status:5xx' }).success).toBe(true);
    const { error } = TraceFilters.safeParse({ q: 'stauts:5xx' });
    expect(error?.issues).toMatchObject([
      { path: ['q'], message: 'q: Characters 1 to 6: Unknown field “stauts”. Did you mean “status”?' },
    ]);
  });
});
