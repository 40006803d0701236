import { describe, expect, it } from 'vitest';
import { quoteless, quotelessLines } from './quoteless.ts';

describe('text without quotes', () => {
  it('stays on one line, and cannot turn the direction of what follows', () => {
    expect(quoteless('a\nb\tc\u202egpj')).toBe('a\\nb\\tc\\u202egpj');
  });

  it('of several lines keeps its lines alone', () => {
    expect(quotelessLines('Error: a\n\tat b\r\u001b[31m\u202egpj')).toBe(
      'Error: a\n\tat b\\r\\u001b[31m\\u202egpj',
    );
  });
});
