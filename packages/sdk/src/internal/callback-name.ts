const ENDING = ' callback';

/** Names a function without a name after the call that receives the function, such as `new Promise() callback`. */
export function formatCallbackName(call: string): string {
  return `${call}${ENDING}`;
}

/** True for names of {@link formatCallbackName}. */
export function isCallbackName(name: string): boolean {
  return name.endsWith(ENDING);
}
