/** The dashboard's default page for signed-in users. */
export const HOME = '/app';

/**
 * Reads the path to open after a login from the URL. Returns undefined for the start, login and registration pages. Also returns undefined
 * for a string that a browser would open on another site, such as `//host`, `/\host` or `https://host`.
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
