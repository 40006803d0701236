import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildEditorAddress, EDITORS, type EditorSetting, findTemplateFault } from './editor-address.ts';

const vscode: EditorSetting = { editor: 'vscode', root: '/home/ada/shop', template: '' };
const custom = (template: string): EditorSetting => ({ ...vscode, editor: 'custom', template });

describe('the editor URL of a file and line', () => {
  it.each<[string, EditorSetting, string, number | null, string | undefined]>([
    ['a file of the project', vscode, 'src/tax.ts', 18, 'vscode://file/home/ada/shop/src/tax.ts:18'],
    ['a file without a line', vscode, 'src/tax.ts', null, 'vscode://file/home/ada/shop/src/tax.ts:1'],
    ['a folder with a trailing slash', { ...vscode, root: '/a/' }, './b.ts', 2, 'vscode://file/a/b.ts:2'],
    ['an absolute path', vscode, '/home/ada/shop/src/a.ts', 1, 'vscode://file/home/ada/shop/src/a.ts:1'],
    ['a Windows path', { ...vscode, root: 'C:\\shop' }, 'src\\a.ts', 3, 'vscode://file/C:/shop/src/a.ts:3'],
    [
      'a path with special characters',
      vscode,
      'src/a b#?ü.ts',
      1,
      'vscode://file/home/ada/shop/src/a%20b%23%3F%C3%BC.ts:1',
    ],
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
    ['a file outside the folder', vscode, '/etc/passwd', 1, undefined],
    ['a file in a folder with the same prefix', vscode, '/home/ada/shopping/a.ts', 1, undefined],
    ['a path above the folder', vscode, 'src/../../../.ssh/id', 1, undefined],
    ['a path on another computer', vscode, '\\\\evil\\share\\a.ts', 1, undefined],
    ['another computer’s folder', { ...vscode, root: '//evil/share' }, 'a.ts', 1, undefined],
    ['a file of Node', vscode, 'node:fs', 1, undefined],
    ['a URL', vscode, 'https://evil.example/a.js', 1, undefined],
    ['a path with invisible characters', vscode, 'src/a\u202ets.exe', 1, undefined],
    ['no folder', { ...vscode, root: '' }, 'src/a.ts', 1, undefined],
    ['no template', custom(''), 'src/a.ts', 1, undefined],
    ['a script', custom(' JavaScript:alert({file})'), 'src/a.ts', 1, undefined],
  ])(
    'opens the file, or is undefined if there is no file to open: %s',
    (_, setting, file, line, expected) => {
      expect(buildEditorAddress(setting, file, line)).toBe(expected);
    },
  );

  it("names a file below the project's folder, for any captured file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (file) => {
        const address = buildEditorAddress(vscode, file, 1);
        if (address === undefined) return;
        expect(address.startsWith('vscode://file/home/ada/shop/')).toBe(true);
        expect(new URL(address).pathname.startsWith('/home/ada/shop/')).toBe(true);
      }),
    );
  });
});

describe('an editor template', () => {
  it.each(Object.entries(EDITORS).filter(([name]) => name !== 'custom'))(
    'for %s is valid',
    (_, { template }) => {
      expect(findTemplateFault(template)).toBeUndefined();
    },
  );

  it.each(['', 'editor', 'javascript:{file}', 'DATA:text/html,{file}', 'file:///{file}', 'myeditor://open'])(
    '%j is rejected',
    (template) => {
      expect(findTemplateFault(template)).toBeTypeOf('string');
    },
  );
});
