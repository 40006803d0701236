import { useLocalStorage } from '@mantine/hooks';
import { EDITORS, type EditorSetting } from './editor-address.ts';

const NONE: EditorSetting = { editor: 'vscode', root: '', template: '' };

/** Returns the editor setting, which is stored in this browser. */
export function useEditorSetting(): readonly [EditorSetting, (setting: EditorSetting) => void] {
  const [stored, set] = useLocalStorage<EditorSetting>({
    key: 'editor_link',
    defaultValue: NONE,
    deserialize: readSetting,
  });
  return [stored, set];
}

/** Parses the stored setting, which may come from another release or be edited by hand. */
function readSetting(text: string | undefined): EditorSetting {
  try {
    const found: unknown = JSON.parse(text ?? '');
    if (typeof found !== 'object' || found === null) return NONE;
    const fields = new Map<string, unknown>(Object.entries(found));
    const readText = (name: string) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const editor = Object.keys(EDITORS).find(
      (name): name is EditorSetting['editor'] => name === fields.get('editor'),
    );
    return { editor: editor ?? NONE.editor, root: readText('root'), template: readText('template') };
  } catch {
    return NONE;
  }
}
