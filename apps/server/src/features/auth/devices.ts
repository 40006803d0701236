import type { FastifyRequest } from 'fastify';

/** The network address and device of a login. */
export interface Origin {
  readonly address: string;
  readonly device: string | null;
}

export function readOrigin(request: FastifyRequest): Origin {
  return { address: request.ip, device: nameDevice(request.headers['user-agent']) };
}

const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];
const LONGEST = 60;

/**
 * Returns the browser and system in a `user-agent` header, such as `Firefox on Linux`. If one of the two is unknown, returns only the
 * other. If both are unknown, returns the program's name, such as `curl`. Returns null if nothing is known. The result is no proof of
 * identity, because clients can send any header.
 */
function nameDevice(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent.trim() === '') return null;
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  const program = /^[\w.-]+/.exec(userAgent.trim())?.[0].slice(0, LONGEST);
  return system ?? program ?? null;
}
