import { describe, expect, it } from 'vitest';
import { countTicked, isTicked, NOTHING_TICKED, turnListed, turnOne, turnStretch } from './ticked.ts';

const listed = ['a', 'b', 'c', 'd', 'e'];
const some = (...ids: string[]) => new Set(ids);

describe('ticked rows', () => {
  it('are turned one by one', () => {
    const one = turnOne(NOTHING_TICKED, 'b', listed);
    expect(one).toEqual(some('b'));
    expect(turnOne(one, 'd', listed)).toEqual(some('b', 'd'));
    expect(turnOne(one, 'b', listed)).toEqual(NOTHING_TICKED);
  });

  it.each([
    ['b', 'd'],
    ['d', 'b'],
  ])('are turned from %s to %s', (from, to) => {
    expect(turnStretch(some(from), { from, to }, listed)).toEqual(some('b', 'c', 'd'));
    expect(turnStretch(some(...listed), { from, to }, listed)).toEqual(some('a', 'e'));
  });

  it('are turned alone where the other end has left the list', () => {
    expect(turnStretch(some('gone'), { from: 'gone', to: 'c' }, listed)).toEqual(some('gone', 'c'));
  });

  it('are all that are listed, and none again', () => {
    const all = turnListed(some('b'), listed);
    expect(all).toEqual(some(...listed));
    expect(turnListed(all, listed)).toEqual(NOTHING_TICKED);
    expect(turnListed('all', listed)).toEqual(NOTHING_TICKED);
  });

  it('are all that match, until one is taken out of those that are listed', () => {
    expect(isTicked('all', 'not listed')).toBe(true);
    expect(countTicked('all', 1204)).toBe(1204);
    expect(turnOne('all', 'b', listed)).toEqual(some('a', 'c', 'd', 'e'));
    expect(turnStretch('all', { from: 'a', to: 'c' }, listed)).toEqual(some('d', 'e'));
  });
});
