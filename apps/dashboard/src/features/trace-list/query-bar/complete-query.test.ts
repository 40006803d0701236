import { describe, expect, it } from 'vitest';
import { completeQuery } from './complete-query.ts';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  route: ['/orders/:id', '/checkout'],
  user: ['19', 'ann lee'],
};
const complete = (query: string, caret = query.length) =>
  completeQuery(query, caret, (field) => VALUES[field] ?? []);
const offer = (query: string) => complete(query).map(({ text }) => text);

describe('completion of a typed query', () => {
  it('offers all fields for an empty query, otherwise fields that begin with the typed characters', () => {
    expect(offer('').length).toBeGreaterThan(20);
    expect(offer('sta')).toEqual(['status:']);
    expect(offer('STEP')).toEqual(['step:', 'stepType:', 'stepStatus:', 'steps:']);
  });

  it('after a minus, offers only fields whose values can be excluded', () => {
    expect(offer('-s')).toEqual(['-status:', '-service:', '-session:', '-step:']);
    expect(offer('-stepStatus:')).toEqual([]);
  });

  it("offers a field's fixed values and the project's values", () => {
    expect(offer('stepStatus:')).toEqual(['stepStatus:success', 'stepStatus:error']);
    expect(offer('route:ORD')).toEqual(['route:/orders/:id']);
    expect(offer('-user:')).toEqual(['-user:19', '-user:"ann lee"']);
    expect(offer('user:"ann l')).toEqual(['user:"ann lee"']);
  });

  it('offers nothing for an unknown field or after a closing quote', () => {
    expect(offer('stauts:')).toEqual([]);
    expect(offer('user:"ann lee"')).toEqual([]);
  });

  it('replaces only the term at the caret', () => {
    const [first] = complete('sta user:19', 3);
    expect(first).toMatchObject({ query: 'status: user:19', caret: 7, isTerm: false });
    const [value] = complete('status:500 route:/che');
    expect(value).toMatchObject({ query: 'status:500 route:/checkout', caret: 26, isTerm: true });
  });
});
