import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDITORS, type EditorSetting, editorAddress, templateFault } from './editor-address.ts';

const vscode: EditorSetting = { editor: 'vscode', root: '/home/ada/shop', template: '' };
const custom = (template: string): EditorSetting => ({ ...vscode, editor: 'custom', template });

describe('the address of a place in the code', () => {
  it.each<[string, EditorSetting, string, number | null, string | undefined]>([
    ['a file of the project', vscode, 'src/tax.ts', 18, 'vscode://file/home/ada/shop/src/tax.ts:18'],
    ['without a line', vscode, 'src/tax.ts', null, 'vscode://file/home/ada/shop/src/tax.ts:1'],
    ['a slash at the end of the folder', { ...vscode, root: '/a/' }, './b.ts', 2, 'vscode://file/a/b.ts:2'],
    ['named whole', vscode, '/home/ada/shop/src/a.ts', 1, 'vscode://file/home/ada/shop/src/a.ts:1'],
    ['Windows', { ...vscode, root: 'C:\\shop' }, 'src\\a.ts', 3, 'vscode://file/C:/shop/src/a.ts:3'],
    ['signs', vscode, 'src/a b#?ü.ts', 1, 'vscode://file/home/ada/shop/src/a%20b%23%3F%C3%BC.ts:1'],
    [
      'JetBrains',
      { ...vscode, editor: 'jetbrains' },
      'a.ts',
      4,
      'webstorm://open?file=/home/ada/shop/a.ts&line=4',
    ],
    [
      'a code host',
      custom('https://code.example/shop/{file}#L{line}'),
      'src/a.ts',
      5,
      'https://code.example/shop/src/a.ts#L5',
    ],
    ['outside', vscode, '/etc/passwd', 1, undefined],
    ['beside', vscode, '/home/ada/shopping/a.ts', 1, undefined],
    ['above', vscode, 'src/../../../.ssh/id', 1, undefined],
    ['another computer', vscode, '\\\\evil\\share\\a.ts', 1, undefined],
    ['another computer’s folder', { ...vscode, root: '//evil/share' }, 'a.ts', 1, undefined],
    ['a part of Node', vscode, 'node:fs', 1, undefined],
    ['an address', vscode, 'https://evil.example/a.js', 1, undefined],
    ['hidden signs', vscode, 'src/a\u202ets.exe', 1, undefined],
    ['no folder', { ...vscode, root: '' }, 'src/a.ts', 1, undefined],
    ['no template', custom(''), 'src/a.ts', 1, undefined],
    ['a script', custom(' JavaScript:alert({file})'), 'src/a.ts', 1, undefined],
  ])('%s', (_, setting, file, line, expected) => {
    expect(editorAddress(setting, file, line)).toBe(expected);
  });

  it('is of the editor, and below the project, whatever file was captured', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (file) => {
        const address = editorAddress(vscode, file, 1);
        if (address === undefined) return;
        expect(address.startsWith('vscode://file/home/ada/shop/')).toBe(true);
        expect(new URL(address).pathname.startsWith('/home/ada/shop/')).toBe(true);
      }),
    );
  });
});

describe('a template', () => {
  it.each(Object.entries(EDITORS).filter(([name]) => name !== 'custom'))(
    'of %s is right',
    (_, { template }) => {
      expect(templateFault(template)).toBeUndefined();
    },
  );

  it.each(['', 'editor', 'javascript:{file}', 'DATA:text/html,{file}', 'file:///{file}', 'myeditor://open'])(
    '%j is refused',
    (template) => {
      expect(templateFault(template)).toBeTypeOf('string');
    },
  );
});
