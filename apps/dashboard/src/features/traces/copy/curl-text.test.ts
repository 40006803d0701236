import { execFileSync } from 'node:child_process';
import type { CapturedValue } from '@throughline/contract';
import { escapeControlCharacters, INVISIBLE } from '@throughline/contract/captured';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCurlCommand, buildCurlText, listVariables } from './curl-text.ts';

interface Captured {
  readonly method: string;
  readonly path: string;
  readonly url: string | null;
  readonly headers: Record<string, CapturedValue>;
  readonly body?: CapturedValue;
}

const get: Captured = { method: 'GET', path: '/a', url: 'http://shop.example/a?x=1', headers: {} };
const hidden = (of: string) => ({ $type: 'redacted', of });

/** Returns the arguments that a shell passes to curl. Throws with the shell's message if the shell stops before it calls curl. */
function readArguments(command: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const out = execFileSync('bash', ['-c', script], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  return out.toString('utf8').split('\0').slice(0, -1);
}

describe('the curl command of a request', () => {
  it.each<[string, Captured, string[]]>([
    ['a plain request', get, ['http://shop.example/a?x=1']],
    ['a HEAD request', { ...get, method: 'HEAD' }, ['--head', 'http://shop.example/a?x=1']],
    ['a URL without a host', { ...get, url: null, headers: { host: 'shop:3000' } }, ['http://shop:3000/a']],
    [
      'a file URL, which is not requested',
      { ...get, url: 'file:///etc/passwd', headers: { host: 'h' } },
      ['http://h/file:///etc/passwd'],
    ],
    ['brackets', { ...get, url: 'http://h/a?i[]=1' }, ['--globoff', 'http://h/a?i[]=1']],
    ['dots in the path', { ...get, url: 'http://h/a/../b' }, ['--path-as-is', 'http://h/a/../b']],
    ['non-ASCII characters in the URL', { ...get, url: 'http://h/ü b' }, ['http://h/%C3%BC%20b']],
    [
      'repeated, empty and multi-line headers, without connection headers',
      {
        ...get,
        url: 'http://h/',
        headers: { accept: ['a', 'b'], 'x-e': '', 'x-n': 'a\r\nb: c', host: 'h', 'content-length': '0' },
      },
      ['http://h/', '-H', 'accept: a', '-H', 'accept: b', '-H', 'x-e;', '-H', 'x-n: a b: c'],
    ],
    [
      'a header that curl would read from a file',
      { ...get, url: 'http://h/', headers: { '@/etc/passwd': 'x' } },
      ['http://h/'],
    ],
    [
      'a JSON body without a content type',
      { ...get, url: 'http://h/', method: 'POST', body: { a: [1, "it's", null] } },
      [
        '-X',
        'POST',
        'http://h/',
        '-H',
        'content-type: application/json',
        '--data-raw',
        '{"a":[1,"it\'s",null]}',
      ],
    ],
    [
      'a form',
      {
        ...get,
        url: 'http://h/',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: { a: '1 &', b: ['x', 'y'] },
      },
      [
        '-X',
        'POST',
        'http://h/',
        '-H',
        'content-type: application/x-www-form-urlencoded',
        '--data-raw',
        'a=1%20%26&b=x&b=y',
      ],
    ],
    [
      'a string body that begins with @',
      {
        ...get,
        url: 'http://h/',
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: '@/etc/passwd',
      },
      ['-X', 'PUT', 'http://h/', '-H', 'content-type: text/plain', '--data-raw', '@/etc/passwd'],
    ],
  ])('has the arguments that curl needs for %s', (_name, request, expected) => {
    expect(readArguments(buildCurlText(request))).toEqual(expected);
  });

  it('has a variable for each redacted or incompletely captured value', () => {
    const command = buildCurlText({
      method: 'POST',
      path: '/login',
      url: '/login?token=‹redacted›&page=2',
      headers: {
        'content-type': 'application/json',
        authorization: hidden('string'),
        cookie: { $type: 'string', value: 'a=1', length: 900 },
      },
      body: {
        password: hidden('string'),
        pin: hidden('number'),
        note: 'key ‹redacted›!',
        path: hidden('string'),
      },
    });
    const variables = {
      MISSING_HOST: 'shop:1',
      REDACTED_TOKEN: 't',
      REDACTED_AUTHORIZATION: 'Bearer $x "y"',
      MISSING_COOKIE: 'c',
      REDACTED_PASSWORD: 'p w',
      REDACTED_PIN: '1234',
      REDACTED_NOTE: 'k',
      REDACTED_PATH: '/p',
    };
    expect(readArguments(command, variables)).toEqual([
      '-X',
      'POST',
      'http://shop:1/login?token=t&page=2',
      '-H',
      'content-type: application/json',
      '-H',
      'authorization: Bearer $x "y"',
      '-H',
      'cookie: c',
      '--data-raw',
      '{"password":"p w","pin":1234,"note":"key k!","path":"/p"}',
    ]);
    for (const name of Object.keys(variables)) {
      const others = Object.fromEntries(Object.entries(variables).filter(([key]) => key !== name));
      expect(() => readArguments(command, others), name).toThrow(name);
    }
  });

  it('gives each variable a unique name', () => {
    const body = [{ token: hidden('string') }, { token: hidden('string') }];
    expect(buildCurlText({ ...get, method: 'POST', body })).toMatch(/REDACTED_TOKEN:\?.*REDACTED_TOKEN_2:\?/);
  });

  it.each([
    ['a carriage return and an escape sequence', 'a\r\u001b]0;x\u0007b', "$'a\\015\\033]0;x\\007b'"],
    ['a line end, a quote and a bang', "a\n'!b", "$'a\\n\\047\\041b'"],
    ['a character that changes the writing direction', 'gpj\u202eexe', "$'gpj\\342\\200\\256exe'"],
    ['a C1 control and a backslash', '\\\u009b31m', "$'\\\\\\302\\23331m'"],
  ])('contains no characters that a terminal interprets: %s', (_name, body, word) => {
    const request = { ...get, url: 'http://h/', method: 'PUT', headers: { 'x-a': `a\u202e${body}` }, body };
    const command = buildCurlText(request);
    expect(command.replaceAll(' \\\n', '').search(INVISIBLE)).toBe(-1);
    expect(command).toContain(`--data-raw ${word}`);
    expect(readArguments(command).at(-1)).toBe(body);
  });

  it('has a variable for a body that was sent but not captured, or was truncated', () => {
    const headers = { 'content-length': '9', 'content-type': 'text/plain' };
    const sent = { ...get, method: 'POST', headers };
    const cut = { $type: 'string', value: 'ab', length: 900 };
    for (const request of [sent, { ...sent, body: cut }]) {
      const command = buildCurlText(request);
      expect(command).toMatch(/--data-raw "\$\{MISSING_BODY:\?\}"$/);
      expect(listVariables(command)).toEqual(['MISSING_BODY']);
      expect(() => readArguments(command)).toThrow('MISSING_BODY');
    }
    expect(buildCurlText({ ...get, headers: { 'content-length': '0' } })).not.toContain('--data');
  });

  it('reads a body from a file if it is too long for a command', () => {
    const body = { text: 'x'.repeat(1000) };
    const { text, bodyFile } = buildCurlCommand({ ...get, method: 'POST', body }, 500);
    expect(readArguments(text).slice(-2)).toEqual(['--data-binary', '@request-body.txt']);
    expect(JSON.parse(bodyFile ?? '')).toEqual(body);
    expect(buildCurlCommand({ ...get, method: 'POST', body }, 5000).bodyFile).toBeUndefined();
  });

  it('uses JSON escapes for control characters of a JSON body', () => {
    const body = { '\u202ea': 'b\u0085\u2066' };
    const command = buildCurlText({ ...get, method: 'POST', body });
    expect(command).toContain(String.raw`--data-raw '{"\u202ea":"b\u0085\u2066"}'`);
    expect(JSON.parse(readArguments(command).at(-1) ?? '')).toEqual(body);
  });

  it('passes any string to curl unchanged, and executes none of it', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        ...`ab '"\\$\`!#~*?&|;<>(){}[]\n\t-@%üש🙂\u001b\u202e\u009b\u{e0001}`.split(/(?:)/u),
      ),
      maxLength: 30,
    });
    const bodies = fc
      .dictionary(fc.string(), fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 })))
      .filter((body) => !('$type' in body));
    fc.assert(
      fc.property(text, text, bodies, (method, header, body) => {
        fc.pre(method !== '' && method !== 'GET' && method !== 'HEAD' && header !== '');
        const request = {
          ...get,
          url: 'http://h/',
          method,
          headers: { 'x-h': header, 'content-type': 'application/json' },
          body,
        };
        expect(readArguments(buildCurlText(request))).toEqual([
          '-X',
          method,
          'http://h/',
          '-H',
          `x-h: ${header.replace(/[\r\n]+/g, ' ')}`,
          '-H',
          'content-type: application/json',
          '--data-raw',
          escapeControlCharacters(JSON.stringify(body)),
        ]);
      }),
      { numRuns: 150 },
    );
  });
});
