const ENDING = ' callback';

/** Returns the name of an unnamed function that is passed to `call`, such as `new Promise() callback`. */
export function formatCallbackName(call: string): string {
  return `${call}${ENDING}`;
}

/** True for names that {@link formatCallbackName} returns. */
export function isCallbackName(name: string): boolean {
  return name.endsWith(ENDING);
}
