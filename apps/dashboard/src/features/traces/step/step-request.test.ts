import { execFileSync } from 'node:child_process';
import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aStep } from '../../../visuals/steps/step.fixture.ts';
import { findSql } from './step-query.ts';
import { stepCurl } from './step-request.ts';

const http = (inputs: unknown) =>
  aStep('call', { stepType: 'http', inputs: JSON.parse(JSON.stringify(inputs)) });

/** Returns the arguments that bash passes to curl. The commands need a shell that supports `$'…'`. */
function readArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  return execFileSync('bash', ['-c', script], { env: {} }).toString('utf8').split('\0').slice(0, -1);
}

describe('the curl command of a step', () => {
  it("has the request's method, headers and body, and variables for redacted values", () => {
    const command = stepCurl(
      http({
        method: 'POST',
        url: 'https://pay.example/charge?a=1',
        headers: { 'content-type': 'application/json', authorization: { $type: 'redacted', of: 'string' } },
        body: { amount: 12 },
      }),
    );
    expect(command).toBe(
      [
        "curl -X POST 'https://pay.example/charge?a=1'",
        "-H 'content-type: application/json'",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: shell syntax
        '-H \'authorization: \'"${REDACTED_AUTHORIZATION:?}"',
        '--data-raw \'{"amount":12}\'',
      ].join(' \\\n  '),
    );
  });

  it.each([
    ['a request without a URL', { method: 'GET' }],
    ['a URL with another scheme', { method: 'GET', url: 'file:///etc/passwd' }],
    ['an invalid method', { method: 'GET; rm', url: 'http://a/' }],
    ['inputs that are not an object', ['GET', 'http://a/']],
    ['no inputs', null],
  ])('is undefined for %s', (_, inputs) => {
    expect(stepCurl(http(inputs))).toBeUndefined();
  });

  it('is undefined for a step that is not a request', () => {
    expect(stepCurl(aStep('query', { inputs: { method: 'GET', url: 'http://a/' } }))).toBeUndefined();
  });

  it('passes the captured method, URL, headers and body to curl, whatever characters they contain', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (path, value, body) => {
        const url = `http://shop.example/${encodeURIComponent(path.toWellFormed())}`;
        const command = stepCurl(
          http({
            method: 'PUT',
            url,
            headers: { 'x-note': `a${value}`, 'content-type': 'text/plain' },
            body: `b${body}`,
          }),
        );
        const words = readArguments(command ?? '');
        const oneLine = `a${value}`.toWellFormed().replace(/[\r\n\0]+/g, ' ');
        expect(words.filter((word) => word !== '--globoff' && word !== '--path-as-is')).toEqual([
          '-X',
          'PUT',
          url,
          '-H',
          `x-note: ${oneLine}`,
          '-H',
          'content-type: text/plain',
          '--data-raw',
          `b${body}`.toWellFormed().replaceAll('\0', ''),
        ]);
      }),
      { numRuns: 60, examples: [['', 'line\u2028separator', 'paragraph\u2029separator']] },
    );
  });
});

describe('a step’s SQL', () => {
  it.each<[string, unknown, string | undefined]>([
    ['the statement of the SDK’s inputs', { statement: 'SELECT 1', values: [] }, 'SELECT 1'],
    [
      'the query of OpenTelemetry’s inputs',
      { query: '/* a */ with x as (select 1) select 1' },
      '/* a */ with x as (select 1) select 1',
    ],
    [
      'a statement in parentheses',
      { statement: '(select 1) union (select 2)' },
      '(select 1) union (select 2)',
    ],
    ['undefined for another database’s command', { query: '{"find":"carts"}' }, undefined],
    [
      'undefined for a truncated statement',
      { statement: { $type: 'string', value: 'select', length: 9 } },
      undefined,
    ],
    ['undefined without inputs', null, undefined],
  ])('is %s', (_, inputs, expected) => {
    const step = aStep('query', { stepType: 'database', inputs: JSON.parse(JSON.stringify(inputs)) });
    expect(findSql(step)?.sql).toBe(expected);
  });

  it.each<[string, Partial<Step>, ReturnType<typeof findSql>]>([
    [
      'a step that the SDK recorded',
      {
        inputs: { statement: 'SELECT $1', values: ['a'] },
        metadata: { 'db.system.name': 'postgresql', tracer: 'postgres' },
      },
      { sql: 'SELECT $1', dialect: 'postgresql', driver: 'postgres', parameters: ['a'] },
    ],
    [
      'an OpenTelemetry step',
      { inputs: { query: 'SELECT ?', parameters: { '0': 'a' }, system: 'mariadb' }, metadata: {} },
      { sql: 'SELECT ?', dialect: 'mysql', driver: undefined, parameters: { '0': 'a' } },
    ],
    [
      'a step of another database',
      { inputs: { query: 'SELECT 1' }, metadata: { 'db.system': 'oracle' } },
      { sql: 'SELECT 1', dialect: undefined, driver: undefined, parameters: undefined },
    ],
  ])('has the dialect and the parameters of %s', (_, fields, expected) => {
    expect(findSql(aStep('query', { stepType: 'database', ...fields }))).toEqual(expected);
  });

  it('is undefined for a step that is not a database step', () => {
    expect(findSql(aStep('query', { inputs: { statement: 'select 1' } }))).toBeUndefined();
  });
});
