/** Option names that functions are often given as. They say no more than no name at all. */
const optionNames = new Set(['', 'handler', 'method', 'anonymous', 'default', 'exports']);

export function saysNothing(name: string): boolean {
  return optionNames.has(name);
}

const plainName = /^[\w$]+(?:\.[\w$]+)*$/;

/**
 * What a step is called that stands for a call of one function and was named by what the function said of itself. That is nothing, or a
 * letter, where a bundle was minified: then the author's name is better, which its site has.
 */
export function adoptedName(stepName: string, siteName: string): string {
  if (stepName === siteName || !plainName.test(siteName) || saysNothing(siteName)) return stepName;
  return stepName.includes(siteName) || siteName.endsWith(`.${stepName}`) ? stepName : siteName;
}
