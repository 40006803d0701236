import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../redactor.ts';
import { redactSource } from './redact-source.ts';

const redactor = new Redactor({ keys: ['nickname'] });
const redact = (text: string, isJsx = false) => redactSource(text, isJsx, redactor);
const KEY = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;

describe('source code', () => {
  test.each([
    ["const password = 'plum-tree-9';", "const password = '‹redacted›';"],
    ['const dbPassword: string = "plum-tree-9";', 'const dbPassword: string = "‹redacted›";'],
    ["connect({ user: 'ann', password: 'plum' })", "connect({ user: 'ann', password: '‹redacted›' })"],
    ["headers['x-api-key'] = 'plum-tree';", "headers['x-api-key'] = '‹redacted›';"],
    ["params.set('token', 'plum-tree')", "params.set('token', '‹redacted›')"],
    ["const secret = process.env.SECRET ?? 'plum';", "const secret = process.env.SECRET ?? '‹redacted›';"],
    ["if (password === 'plum') return 1;", "if (password === '‹redacted›') return 1;"],
    ['this.#apiKey = `plum-$' + '{n}-tree`;', 'this.#apiKey = `‹redacted›$' + '{n}‹redacted›`;'],
    ["const nickname = 'Bo';", "const nickname = '‹redacted›';"],
    ["const key = Buffer.from('plum-tree', 'hex');", "const key = Buffer.from('plum-tree', 'hex');"],
    ["const apiKey = String('plum-tree');", "const apiKey = String('‹redacted›');"],
    ["pay('4111111111111111')", "pay('‹redacted›')"],
    ['pay(4111111111111111)', 'pay(‹redacted›)'],
    ['<Login password="plum-tree" name="Ann" />', '<Login password="‹redacted›" name="Ann" />'],
  ])('is redacted: %s', (text, shown) => {
    expect(redact(text, text.startsWith('<'))).toBe(shown);
  });

  test('is shown without the keys with known prefixes in its literals and comments', () => {
    const text = `charge('${KEY}'); // was ${KEY}\n/* ${KEY} */`;
    expect(redact(text)).not.toContain(KEY.slice(8));
  });

  test.each([
    "type Field = 'password' | 'card';",
    "const input = { type: 'text', name: 'country' };",
    "const entry = table.get(country);\nif (entry === undefined) throw new Error('no rate for ' + country);",
    'function issue<T>(token: string, user: User): Promise<T> { return sign(token, user.id); }',
    'export async function login(email: string, password: string) {\n  return users.find(email, hash(password));\n}',
    "switch (kind) { case 'password': return 'field'; default: return /a'b\\/c/.test(kind) ? 1 : 2; }",
    'const total = items.reduce((sum, { price }) => sum + price, 0); // in cents',
  ])('is unchanged if it contains no secret: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('keeps its number of lines, and is unchanged when redacted again', () => {
    const pem = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      'x'.repeat(40),
      '-----END PRIVATE KEY-----',
    ];
    const text = `const cert = \`${pem.join('\n')}\`;\nreturn cert;`;
    const shown = redact(text);
    expect(shown).not.toContain('MIIEvQIBADAN');
    expect(shown.split('\n')).toHaveLength(text.split('\n').length);
    expect(shown.split('\n').at(-1)).toBe('return cert;');
    expect(redact(shown)).toBe(shown);
  });

  test('keeps all code outside literals, and loses exactly the literals of secrets', () => {
    const code = fc.constantFrom(
      'a = b + 1;',
      'if (a < b / 2) {',
      '}',
      "/it's a \\/ token/.test(x);",
      '// the "password" is checked below',
      '/* token\n lines */',
      'const n = x => x.token;',
      "const kind = 'a (quoted) // text';",
      'const text = `many\n$' + '{lines.map((one) => `<$' + '{one}>`)}`;',
      'login(user, password);',
    );
    const value = fc.stringMatching(/^[a-z0-9{}()<>/ ]{4,12}$/).map((text) => `q${text}9`);
    const secret = fc
      .tuple(
        fc.constantFrom(
          ['const password = ', ';'],
          ['connect({ user, password: ', ' });'],
          ['this.#apiKey = ', ';'],
          ["params.set('token', ", ');'],
        ),
        fc.constantFrom("'", '"', '`'),
        value,
      )
      .map(([[before, after], quote, text]) => ({
        text: `${before}${quote}${text}${quote}${after}`,
        shown: `${before}${quote}‹redacted›${quote}${after}`,
      }));
    const line = fc.oneof(
      code.map((text) => ({ text, shown: text })),
      secret,
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15, size: 'max' }), (lines) => {
        const [text, shown] = [lines.map((one) => one.text), lines.map((one) => one.shown)];
        expect(redact(text.join('\n'))).toBe(shown.join('\n'));
      }),
    );
  });

  test('keeps its number of lines, and is unchanged when redacted again, whatever it contains', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '${',
      '}',
      '{',
      '(',
      ')',
      '/',
      '*/',
      '/*',
      '//',
      '\n',
      '\\',
      ' ',
      'password',
      'token',
      '=',
      ':',
      ',',
      '<',
      '>',
      'a',
      '9',
      '\u2028',
      '\r\n',
      KEY,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, isJsx) => {
        const text = pieces.join('');
        const shown = redact(text, isJsx);
        expect(shown.split('\n')).toHaveLength(text.split('\n').length);
        expect(redact(shown, isJsx)).toBe(shown);
      }),
    );
  });

  test('is redacted in linear time', () => {
    for (const unit of ["'", '`${', '/', '(<', "a='b',", '{', '/*', '\\']) {
      const looked = (times: number) => {
        const text = unit.repeat(times);
        let characters = 0;
        redactSource(text, true, {
          text: (part) => {
            characters += part.length;
            return part;
          },
          isSecretName: () => false,
        });
        return characters;
      };
      expect(looked(4000)).toBeLessThanOrEqual(2 * looked(2000) + unit.length * 4);
    }
  });
});
