/** Where a visitor goes after login and registration. */
export const HOME = '/app';

/**
 * The address to come back to after a login, from the URL. Only a path of this product: anything that a browser
 * would take for another site (`//host`, `/\host`, a scheme) is undefined.
 */
export function readReturnPath(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('/')) return undefined;
  const here = 'http://here.invalid';
  let address: URL;
  try {
    address = new URL(text, here);
  } catch {
    return undefined;
  }
  if (address.origin !== here || /^\/(login|register)?$/.test(address.pathname)) return undefined;
  const path = address.pathname + address.search + address.hash;
  return path.startsWith('//') ? undefined : path;
}
