/** Option names that functions are often given as. They say no more than no name at all. */
const optionNames = new Set(['', 'handler', 'method', 'anonymous', 'default', 'exports']);

export function saysNothing(name: string): boolean {
  return optionNames.has(name);
}

const plainName = /^[\w$]+(?:\.[\w$]+)*$/;

/**
 * The name of a step that was named by the called function itself. In a minified bundle that name is empty or one letter, so the author's
 * name from the site is better.
 */
export function adoptedName(stepName: string, siteName: string): string {
  if (stepName === siteName || !plainName.test(siteName) || saysNothing(siteName)) return stepName;
  return stepName.includes(siteName) || siteName.endsWith(`.${stepName}`) ? stepName : siteName;
}
