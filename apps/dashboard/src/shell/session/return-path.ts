/** The dashboard's default page for signed-in users. */
export const HOME = '/app';

/**
 * Returns the path to open after a login, from the URL. Returns undefined for the start, login and registration pages, and for anything but
 * a path of this product, such as a string that a browser would resolve to another site (`//host`, `/\host`, a scheme).
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
