/**
 * Converts a glob to a pattern. A glob matches `/`-separated paths relative to a root: `**` matches any folders, `*` characters within a
 * name, `?` one character, and `{a,b}` one of the alternatives. A glob without a slash matches a name in any folder. A glob that names a
 * folder matches everything below this folder.
 */
export function compileGlob(glob: string): RegExp {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const anywhere = trimmed.includes('/') ? '' : '(?:.*/)?';
  let pattern = '';
  let braces = 0;
  for (let index = 0; index < trimmed.length; index++) {
    const char = trimmed.charAt(index);
    if (trimmed.startsWith('**/', index)) {
      pattern += '(?:[^/]+/)*';
      index += 2;
    } else if (trimmed.startsWith('**', index)) {
      pattern += '.*';
      index += 1;
    } else if (char === '*') pattern += '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{' && trimmed.indexOf('}', index) > 0) {
      pattern += '(?:';
      braces++;
    } else if (char === '}' && braces > 0) {
      pattern += ')';
      braces--;
    } else if (char === ',' && braces > 0) pattern += '|';
    else pattern += char.replace(/[\\^$.|+()[\]{}]/, '\\$&');
  }
  return new RegExp(`^${anywhere}${pattern}${')'.repeat(braces)}(?:/.*)?$`);
}
