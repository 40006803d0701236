/** Generic names, such as option keys, that many functions have. Such a name does not identify a function. */
const genericNames = new Set(['', 'handler', 'method', 'anonymous', 'default', 'exports']);

export function isGenericName(name: string): boolean {
  return genericNames.has(name);
}

const plainName = /^[\w$]+(?:\.[\w$]+)*$/;

/**
 * Chooses between the name of a step, which is the name of the called function, and the name of the function's site. In a minified bundle,
 * the function's name is often empty or a single letter, so the author's name from the site is better.
 */
export function chooseName(stepName: string, siteName: string): string {
  if (stepName === siteName || !plainName.test(siteName) || isGenericName(siteName)) return stepName;
  return stepName.includes(siteName) || siteName.endsWith(`.${stepName}`) ? stepName : siteName;
}
