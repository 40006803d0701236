/** The program that opens a step's file and line, stored in this browser. */
export interface EditorSetting {
  readonly editor: EditorName;
  /** The project's folder on this machine: captured file paths are relative to it. */
  readonly root: string;
  /** For `custom`: a URL with {file} and {line}. */
  readonly template: string;
}

/** `{file}` is the file's absolute path on this machine, `{line}` the line number. */
export const EDITORS = {
  vscode: { label: 'VS Code', template: 'vscode://file{file}:{line}' },
  cursor: { label: 'Cursor', template: 'cursor://file{file}:{line}' },
  jetbrains: { label: 'JetBrains (WebStorm)', template: 'webstorm://open?file={file}&line={line}' },
  idea: { label: 'JetBrains (IntelliJ IDEA)', template: 'idea://open?file={file}&line={line}' },
  zed: { label: 'Zed', template: 'zed://file{file}:{line}' },
  custom: { label: 'Other', template: '' },
} as const satisfies Record<string, { readonly label: string; readonly template: string }>;
export type EditorName = keyof typeof EDITORS;

/** URL schemes that run code in the page, or read files into the page. */
const REFUSED = /^(?:javascript|data|vbscript|blob|about|file|filesystem|view-source)$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** Returns the reason why a template cannot be used, or undefined if the template is valid. */
export function findTemplateFault(template: string): string | undefined {
  const scheme = SCHEME.exec(template.trim())?.[1];
  if (scheme === undefined) return 'Must begin with a scheme, such as myeditor://';
  if (REFUSED.test(scheme)) return `URLs with ${scheme.toLowerCase()}: are not opened`;
  return template.includes('{file}') ? undefined : 'Must contain {file} in place of the path';
}

/**
 * Returns the URL that opens a file and line in the editor. Returns undefined if no editor is set up. Also returns undefined for files
 * outside the project's folder, of Node, or on another computer: anyone who can send traces can name any file, and a click must not open
 * it.
 */
export function buildEditorAddress(
  { editor, root, template }: EditorSetting,
  file: string,
  line: number | null,
): string | undefined {
  const used = editor === 'custom' ? template.trim() : EDITORS[editor].template;
  if (findTemplateFault(used) !== undefined) return undefined;
  const path = buildPath(root, file, isOnWeb(used));
  if (path === undefined) return undefined;
  return used.replaceAll(/\{file\}|\{line\}/g, (mark) => (mark === '{file}' ? path : String(line ?? 1)));
}

/** True for a template of a code host, whose URLs use paths relative to the project's folder. */
function isOnWeb(template: string): boolean {
  return /^https?:/i.test(template);
}

/**
 * Converts a file's path to the path in the URL. For an editor, that is the absolute path with a leading slash; for a code host (`onWeb`),
 * the path relative to the project's folder. Returns undefined for a path outside the project's folder.
 */
function buildPath(root: string, file: string, onWeb: boolean): string | undefined {
  const folder = toSlashes(root.trim()).replace(/\/+$/, '');
  const named = toSlashes(file);
  if (hasControl(named) || SCHEME.test(named.replace(/^[a-z]:/i, ''))) return undefined;
  const absolute = isAbsolute(named);
  const within = absolute ? findPathBelow(folder, named) : named.replace(/^\.\//, '');
  if (within === undefined || within.startsWith('/') || within.split('/').includes('..')) return undefined;
  if (onWeb) return encodePath(within);
  if (!isAbsolute(folder)) return undefined;
  const whole = `${folder}/${within}`;
  return encodePath(whole.startsWith('/') ? whole : `/${whole}`);
}

function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** `//host/share` is a path on another computer. */
function isAbsolute(path: string): boolean {
  return /^(?:[a-z]:)?\/(?!\/)/i.test(path);
}

function findPathBelow(folder: string, path: string): string | undefined {
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function hasControl(path: string): boolean {
  return /[\p{Cc}\p{Cf}]/u.test(path);
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map((part, index) =>
      index <= 1 && /^[a-z]:$/i.test(part) ? part : encodeURIComponent(part.toWellFormed()),
    )
    .join('/');
}
