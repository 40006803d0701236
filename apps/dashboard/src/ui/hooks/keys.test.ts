import { expect, it } from 'vitest';
import { isPlainKey } from './keys.ts';

const plain = {
  defaultPrevented: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  target: null,
};

it.each([
  ['a letter', { key: 'j' }, true],
  ['a capital letter', { key: 'J' }, true],
  ['a bracket', { key: '[' }, true],
  ['a bracket by Option', { key: '[', altKey: true }, true],
  ['a bracket by AltGr on Windows', { key: ']', altKey: true, ctrlKey: true }, true],
  ['Ctrl and a bracket', { key: '[', ctrlKey: true }, false],
  ['Ctrl and a letter', { key: 'f', ctrlKey: true }, false],
  ['⌘ and a letter', { key: 's', metaKey: true }, false],
  ['⌘ and a bracket', { key: '[', metaKey: true }, false],
  ['Alt and a letter, which opens a menu', { key: 'e', altKey: true }, false],
  ['Alt and a digit', { key: '1', altKey: true }, false],
  ['Alt and an arrow, which goes back', { key: 'ArrowLeft', altKey: true }, false],
  ['a key that was already handled', { key: 'j', defaultPrevented: true }, false],
])(
  'a key press counts as plain only if it types a character and nothing else: %s',
  (_what, press, expected) => {
    expect(isPlainKey({ ...plain, ...press })).toBe(expected);
  },
);
