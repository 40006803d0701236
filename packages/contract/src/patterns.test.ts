import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from './http/route.ts';
import { routes } from './http/routes.ts';

/** All patterns with which the contract checks parameters, queries and bodies, by their source with flags. */
const PATTERNS = new Map<string, RegExp>();
for (const group of Object.values(routes)) {
  for (const { params, query, body } of Object.values<Route>(group)) {
    for (const schema of [params, query, body]) {
      // Collects the patterns with their flags. The JSON schema contains only their sources, without flags.
      for (const io of ['input', 'output'] as const) {
        if (schema === undefined) continue;
        z.toJSONSchema(schema, {
          io,
          unrepresentable: 'any',
          override({ zodSchema }) {
            const { def } = zodSchema._zod;
            const checks = def.checks?.map(({ _zod }) => _zod.def) ?? [];
            for (const each of [def, ...checks]) {
              if ('pattern' in each && each.pattern instanceof RegExp)
                PATTERNS.set(String(each.pattern), each.pattern);
            }
          },
        });
      }
    }
  }
}

const BYTES = 256 * 1024;
const repeated = (text: string) => text.repeat(Math.ceil(BYTES / text.length)).slice(0, BYTES);
const UNITS = [
  'a',
  '0',
  'a.',
  'a@',
  '-',
  'a-',
  ' ',
  '/',
  'é',
  '.',
  '@a.',
  '00:00',
  '2026-01-01T',
  '0-',
  ',a',
];
/** Long repetitions of strings that patterns can repeat, with an ending that forces backtracking. */
const TEXTS = UNITS.flatMap((unit) => [
  repeated(unit),
  `a@${repeated(unit)}`,
  `${repeated(unit)}!`,
  `${repeated(unit)}\n`,
]);

describe('a regular expression of the contract', () => {
  it('is found in the schemas of the routes', () => {
    expect(PATTERNS.size).toBeGreaterThan(8);
  });

  it.each([...PATTERNS])(
    'takes little time on a quarter of a megabyte of any text: %s',
    (_source, pattern) => {
      // A pattern that tries every pair of a start and an end in such a text takes hours, so that this test would exceed its timeout.
      expect(TEXTS.filter((text) => pattern.test(text)).length).toBeLessThan(TEXTS.length);
    },
  );

  it.each([...PATTERNS])(
    'matches the same strings with and without the u flag, because OpenAPI tools differ in using it: %s',
    (_source, pattern) => {
      const bare = new RegExp(pattern.source, pattern.flags.replace('u', ''));
      const unicode = new RegExp(pattern.source, `${pattern.flags.replace('u', '')}u`);
      for (const text of [
        '',
        'p',
        'P{Cc}',
        'Ada Lovelace',
        'a\nb',
        '\u0000',
        '\u0085',
        'é',
        '😀',
        'a-b',
        'GET',
        '123456',
      ]) {
        expect(unicode.test(text)).toBe(bare.test(text));
      }
    },
  );
});
