import { describe, expect, it } from 'vitest';
import { escapeControlCharacters, escapeControlCharactersInLines } from './escape-control-characters.ts';

describe('a string with escaped control characters', () => {
  it('stays on one line, and cannot change the direction of the text after it', () => {
    expect(escapeControlCharacters('a\nb\tc\u202egpj')).toBe('a\\nb\\tc\\u202egpj');
  });

  it('shows invisible marks and tags as escapes, but keeps the joiners within an emoji', () => {
    expect(escapeControlCharacters('a\u00ad\u{e0041}b')).toBe(String.raw`a\u00ad\udb40\udc41b`);
    expect(escapeControlCharacters('👩‍👩‍👧 \u05e9\u05dc')).toBe('👩‍👩‍👧 \u05e9\u05dc');
  });

  it('still represents the same value if it is JSON', () => {
    const value = { '\u202e': ['\u0007', '\u{e0041}', '\u2028', 'a\nb'] };
    const text = escapeControlCharactersInLines(JSON.stringify(value, null, 2));
    expect(text).not.toContain('\u202e');
    expect(JSON.parse(text)).toEqual(value);
  });

  it('keeps its line breaks and tabs, but no other control characters, if it is escaped as a multi-line string', () => {
    expect(escapeControlCharactersInLines('Error: a\n\tat b\r\u001b[31m\u202egpj')).toBe(
      'Error: a\n\tat b\\r\\u001b[31m\\u202egpj',
    );
  });
});
