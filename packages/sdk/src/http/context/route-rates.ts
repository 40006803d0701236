/** A sampling rate for requests with a certain method and path, in place of the service's rate. */
export interface RouteRate {
  /** HTTP method in upper case; null matches any method. */
  readonly method: string | null;
  readonly path: RegExp;
  /** Share of requests to record, 0 to 1. */
  readonly rate: number;
}

/** Maximum number of characters of a path that are compared. The rest of a longer path is ignored. */
const maxPath = 2048;

/**
 * Parses rules such as `{'GET /health': 0, '/orders/:id': 1, '/api/**': 0.1}`, or the same as a string: `GET /health=0, /orders/:id=1`. In
 * a path, `:name` matches a segment, `*` a segment or part of one, and a trailing `**` everything below. Returns undefined if any rule is
 * invalid.
 */
export function readRouteRates(value: unknown): RouteRate[] | undefined {
  const rules: RouteRate[] = [];
  for (const [route, given] of readEntries(value) ?? [['', undefined]]) {
    const rule = readRule(route, typeof given === 'string' && given.trim() !== '' ? Number(given) : given);
    if (rule === undefined) return undefined;
    rules.push(rule);
  }
  return rules;
}

function readEntries(value: unknown): [string, unknown][] | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  if (typeof value !== 'string') return undefined;
  return value
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const sign = pair.lastIndexOf('=');
      return [pair.slice(0, sign), pair.slice(sign + 1)];
    });
}

function readRule(route: string, rate: unknown): RouteRate | undefined {
  const match = /^(?:([a-z]+)\s+)?(\/\S*)$/i.exec(route.trim());
  if (match === null || typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) return undefined;
  const [, method, path = ''] = match;
  // With several `*` in a segment, matching a long path could be slow.
  if (
    path
      .replace(/\/\*\*$/, '')
      .split('/')
      .some((segment) => segment.split('*').length > 2)
  )
    return undefined;
  return { method: method?.toUpperCase() ?? null, path: compilePattern(path), rate };
}

function compilePattern(path: string): RegExp {
  const pattern = path.split('/').slice(1).map(writeSegmentPattern).join('');
  return new RegExp(`^${pattern}/?$`);
}

function writeSegmentPattern(segment: string, index: number, all: readonly string[]): string {
  if (segment === '**' && index === all.length - 1) return '(?:/.*)?';
  if (segment === '') return '';
  // A parameter or `*` that fills a whole segment matches at least one character: `/orders/*` does not match `/orders/`.
  if (segment.startsWith(':') || segment === '*') return '/[^/]+';
  const literal = segment.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replace('*', '[^/]*');
  return `/${literal}`;
}

/** Returns the rate of the first rule that matches the request; undefined if none matches. `path` excludes the query. */
export function findRate(rules: readonly RouteRate[], method: string, path: string): number | undefined {
  const start = path.slice(0, maxPath);
  for (const rule of rules) {
    if ((rule.method === null || rule.method === method) && rule.path.test(start)) return rule.rate;
  }
  return undefined;
}
