/** The share of a route's requests to record, where it is not the service's. */
export interface RouteRate {
  /** In upper case; null for any. */
  readonly method: string | null;
  readonly path: RegExp;
  /** 0 to 1. */
  readonly rate: number;
}

/** Longer paths are compared by their beginning. */
const maxPath = 2048;

/**
 * Reads rules such as `{'GET /health': 0, '/orders/:id': 1, '/api/**': 0.1}`, or the same as text: `GET /health=0, /orders/:id=1`. In a path, `:name`
 * stands for a segment, `*` for one or part of one, and a last `**` for all below. Undefined where one of them cannot be read.
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
  // With several in one segment, a long path could take its time to be compared.
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
  const pattern = path.split('/').slice(1).map(segmentPattern).join('');
  return new RegExp(`^${pattern}/?$`);
}

function segmentPattern(segment: string, index: number, all: readonly string[]): string {
  if (segment === '**' && index === all.length - 1) return '(?:/.*)?';
  if (segment === '') return '';
  if (segment.startsWith(':')) return '/[^/]+';
  const literal = segment.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replace('*', '[^/]*');
  return `/${literal}`;
}

/** The rate of the first rule that a request meets; undefined where none does. `path` is without the query. */
export function findRate(rules: readonly RouteRate[], method: string, path: string): number | undefined {
  const start = path.slice(0, maxPath);
  for (const rule of rules) {
    if ((rule.method === null || rule.method === method) && rule.path.test(start)) return rule.rate;
  }
  return undefined;
}
