/** Headers whose whole value is hidden if they begin a line. */
const HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-access-token',
  'x-session-token',
  'x-amz-security-token',
  'api-key',
]);

/** Schemes of the authorization header that are not themselves names of secrets. */
export const SCHEMES: ReadonlySet<string> = new Set([
  'bearer',
  'basic',
  'token',
  'digest',
  'negotiate',
  'apikey',
  'api-key',
  'ntlm',
  'hawk',
  'dpop',
  'jwt',
  'aws4-hmac-sha256',
  'sharedkey',
  'signature',
  'key',
  'oauth',
  'bot',
]);

export function isHeaderName(name: string): boolean {
  return HEADERS.has(name.toLowerCase());
}

export function isCookieHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'cookie' || lower === 'set-cookie';
}

/** Finds the start of a header's value, which can be on the next line, indented. */
export function startOfFolded(text: string, at: number): number {
  const fold = FOLD.exec(text.slice(at, at + 24))?.[0];
  return fold === undefined ? at : at + fold.length;
}

const FOLD = /^[ \t]{0,8}\r?\n[ \t]{1,8}(?=\S)/;
