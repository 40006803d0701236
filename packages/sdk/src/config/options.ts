import { type RouteRate, readRouteRates } from '../http/context/route-rates.ts';
import { type CaptureLimits, defaultLimits, resolveLimits } from '../record/capture/limits.ts';
import type { Redaction } from '../redact/redaction.ts';

/** How much of a request is recorded: functions with values, functions without values, or nothing. */
export type CaptureMode = 'all' | 'structure' | 'off';

/** Options of {@link init}. Each option can also be set by an environment variable (in parentheses). Options in code take precedence. */
export interface Options {
  /** The project's API key, `tl_…` (`THROUGHLINE_API_KEY`). Without a key the SDK does nothing. */
  readonly apiKey?: string | undefined;
  /** URL of the Throughline server (`THROUGHLINE_URL`, otherwise `http://localhost:3001`). */
  readonly url?: string | undefined;
  /** Name of this service (`THROUGHLINE_SERVICE`, otherwise the name in its package.json). */
  readonly service?: string | undefined;
  /** The service's environment, such as `production` or `staging` (`THROUGHLINE_ENVIRONMENT`, otherwise `NODE_ENV`). */
  readonly environment?: string | undefined;
  /** Deployed release: a commit or version (`THROUGHLINE_RELEASE`). */
  readonly release?: string | undefined;
  /** `all` (default), `structure` (functions and times, no values) or `off` (`THROUGHLINE_CAPTURE`). */
  readonly capture?: CaptureMode | undefined;
  /**
   * Share of requests to record, 0 to 1 (`THROUGHLINE_SAMPLE_RATE`, otherwise 1). Failed and slow requests that are not in this share are
   * sent, too, but without steps.
   */
  readonly sampleRate?: number | undefined;
  /**
   * Sampling rates of single routes, such as `{'GET /health': 0, '/orders/:id': 1, '/api/**': 0.1}`. The first match applies. The
   * environment variable `THROUGHLINE_SAMPLE_ROUTES` has the form `GET /health=0, /orders/:id=1`.
   */
  readonly sampleRoutes?: Readonly<Record<string, number>> | undefined;
  /**
   * Records a request that continues a trace if, and only if, its caller's `traceparent` is sampled (`THROUGHLINE_FOLLOW_PARENT`). Does not
   * apply to routes in `sampleRoutes`.
   */
  readonly followParent?: boolean | undefined;
  /** Requests that take at least this many milliseconds are always sent (`THROUGHLINE_SLOW_MS`, otherwise 1000). */
  readonly slowMs?: number | undefined;
  /**
   * Maximum CPU time for recording, in percent of one core over 30 seconds (`THROUGHLINE_CPU_BUDGET`). Above the budget, the most expensive
   * functions are recorded without values, then not at all, and each trace lists these functions. Without this option, the limit is 20
   * percent of a core within a second. Above it, the most expensive functions are recorded without values. Their first 20 calls each
   * minute, and calls that fail, still show values.
   */
  readonly cpuBudget?: number | undefined;
  /** Globs relative to the project root: only matching files are instrumented (`THROUGHLINE_INCLUDE`, comma-separated). */
  readonly include?: readonly string[] | undefined;
  /** Globs of files that are not instrumented (`THROUGHLINE_EXCLUDE`, comma-separated). */
  readonly exclude?: readonly string[] | undefined;
  /** Also traces getters and setters (`THROUGHLINE_ACCESSORS`, `1` or `true`). */
  readonly accessors?: boolean | undefined;
  /**
   * Caches instrumented code in `node_modules/.cache/throughline` for the next start (`THROUGHLINE_CACHE`, otherwise `true`), in the nearest
   * `node_modules` at or above the project's root. From the second start on, Node 22.10 and newer also cache compiled code there. If that
   * folder is not writable, nothing is cached.
   */
  readonly cache?: boolean | undefined;
  /**
   * Keys to redact in addition to the built-in rules (`THROUGHLINE_REDACT`, comma-separated). With `all-values`, each value is shown only
   * as its type.
   */
  readonly redact?: Redaction | undefined;
  /** Limits of capture (`THROUGHLINE_LIMITS`, such as `depth=5,items=50`). */
  readonly limits?: Partial<CaptureLimits> | undefined;
  /**
   * Sends the source code of the functions that ran, each once an hour, without secrets (`THROUGHLINE_SOURCE`, `on` or `off`). By default,
   * source code is sent unless `capture` is `structure` or `redact` is `all-values`.
   */
  readonly source?: boolean | undefined;
  /** Records lines logged by `console`, pino and winston as steps (`THROUGHLINE_LOGS`, `1` or `true`). */
  readonly logs?: boolean | undefined;
  /** Also traces tests in jest and vitest (`THROUGHLINE_TESTS`, `1` or `true`). By default tests are not traced. */
  readonly tests?: boolean | undefined;
  /** Reports on stderr what is instrumented and sent (`THROUGHLINE_DEBUG`, `1` or `true`). */
  readonly debug?: boolean | undefined;
}

/** The options in use: for each option, the host's value if the value is valid, otherwise the default. */
export interface Settings {
  readonly apiKey: string | undefined;
  readonly url: string;
  readonly service: string | undefined;
  readonly environment: string | undefined;
  readonly release: string | undefined;
  readonly capture: CaptureMode;
  /** True if the host set `capture`. Otherwise the project's setting on the server can override `capture`. */
  readonly captureChosen: boolean;
  readonly sampleRate: number;
  readonly sampleRateChosen: boolean;
  readonly sampleRoutes: readonly RouteRate[];
  readonly followParent: boolean;
  readonly slowMs: number;
  readonly cpuBudget: number | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly accessors: boolean;
  readonly cache: boolean;
  readonly redact: Redaction;
  readonly limits: CaptureLimits;
  /** Undefined if the host did not set `source`: source code is then sent, unless values are left out or all values are redacted. */
  readonly source: boolean | undefined;
  readonly logs: boolean;
  readonly tests: boolean;
  readonly debug: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;
type Complain = (line: string) => void;

/** Reads each option from code, otherwise from the environment. For an invalid value, passes a line to `complain` and uses the default. */
export function readSettings(given: unknown, env: Env, complain: Complain): Settings {
  const options = toRecord(given, complain);
  const known = new Set<string>();
  const read = <T>(
    name: keyof Options,
    variable: string,
    parse: (value: unknown) => T | undefined,
    must: string,
  ) => {
    known.add(name).add(variable);
    const inCode = options[name];
    if (inCode !== undefined) return checkOption(`option ${name}`, parse(inCode), inCode, must, complain);
    const inEnv = env[variable];
    if (inEnv === undefined || inEnv === '') return undefined;
    return checkOption(variable, parse(inEnv), inEnv, must, complain);
  };

  const capture = read('capture', 'THROUGHLINE_CAPTURE', parseCapture, 'all, structure or off');
  const sampleRate = read('sampleRate', 'THROUGHLINE_SAMPLE_RATE', parseRate, 'a number from 0 to 1');
  const settings: Settings = {
    apiKey: read('apiKey', 'THROUGHLINE_API_KEY', parseText, 'a project key, tl_…'),
    url: read('url', 'THROUGHLINE_URL', parseUrl, 'an http or https address') ?? 'http://localhost:3001',
    service: read('service', 'THROUGHLINE_SERVICE', parseText, 'a name'),
    environment:
      read('environment', 'THROUGHLINE_ENVIRONMENT', parseText, 'a name') ?? parseText(env.NODE_ENV),
    release: read('release', 'THROUGHLINE_RELEASE', parseText, 'a name'),
    capture: capture ?? 'all',
    captureChosen: capture !== undefined,
    sampleRate: sampleRate ?? 1,
    sampleRateChosen: sampleRate !== undefined,
    sampleRoutes: read('sampleRoutes', 'THROUGHLINE_SAMPLE_ROUTES', readRouteRates, routesMust) ?? [],
    followParent: read('followParent', 'THROUGHLINE_FOLLOW_PARENT', parseFlag, 'true or false') ?? false,
    slowMs: read('slowMs', 'THROUGHLINE_SLOW_MS', parseMilliseconds, 'a number of milliseconds') ?? 1000,
    cpuBudget: read('cpuBudget', 'THROUGHLINE_CPU_BUDGET', parsePercent, 'a percentage over 0, up to 100'),
    include: read('include', 'THROUGHLINE_INCLUDE', parseList, 'a list of globs') ?? [],
    exclude: read('exclude', 'THROUGHLINE_EXCLUDE', parseList, 'a list of globs') ?? [],
    accessors: read('accessors', 'THROUGHLINE_ACCESSORS', parseFlag, 'true or false') ?? false,
    cache: read('cache', 'THROUGHLINE_CACHE', parseFlag, 'true or false') ?? true,
    redact:
      read(
        'redact',
        'THROUGHLINE_REDACT',
        parseRedact,
        'rules such as {keys: ["nickname"]}, or all-values',
      ) ?? {},
    limits: resolveLimits(read('limits', 'THROUGHLINE_LIMITS', parseLimits, limitsMust), complain),
    source: read('source', 'THROUGHLINE_SOURCE', parseSwitch, 'true or false, in the environment on or off'),
    logs: read('logs', 'THROUGHLINE_LOGS', parseFlag, 'true or false') ?? false,
    tests: read('tests', 'THROUGHLINE_TESTS', parseFlag, 'true or false') ?? false,
    debug: read('debug', 'THROUGHLINE_DEBUG', parseFlag, 'true or false') ?? false,
  };
  const names = [
    ...Object.keys(options),
    ...Object.keys(env).filter((name) => name.startsWith('THROUGHLINE_')),
  ];
  for (const name of names.filter((one) => !known.has(one)).slice(0, maxUnknown)) {
    const alike = [...known].filter(
      (one) => one.startsWith('THROUGHLINE_') === name.startsWith('THROUGHLINE_'),
    );
    complain(`there is no option ${JSON.stringify(name.slice(0, 60))}; there are ${alike.sort().join(', ')}`);
  }
  return settings;
}

/** Maximum number of unknown options that are reported. */
const maxUnknown = 5;

function toRecord(given: unknown, complain: Complain): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object') return Object.fromEntries(Object.entries(given));
  complain(`init takes an object of options, not ${typeof given}; using the environment alone`);
  return {};
}

function checkOption<T>(
  name: string,
  value: T | undefined,
  given: unknown,
  must: string,
  complain: Complain,
): T | undefined {
  if (value === undefined)
    complain(`${name} must be ${must}, not ${formatForMessage(given)}; using the default`);
  return value;
}

/** Formats a value for a message. Shortens long strings, because a string can be a misplaced secret. */
function formatForMessage(value: unknown): string {
  if (typeof value === 'string') return value.length > 20 ? `"${value.slice(0, 8)}…"` : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : typeof value;
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 255) : undefined;
}

function parseUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return value.trim().replace(/\/+$/, '');
}

function parseCapture(value: unknown): CaptureMode | undefined {
  return value === 'all' || value === 'structure' || value === 'off' ? value : undefined;
}

function parseRate(value: unknown): number | undefined {
  const rate = parseNumber(value);
  return rate !== undefined && rate >= 0 && rate <= 1 ? rate : undefined;
}

function parseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
}

const routesMust = "routes with a rate from 0 to 1 each, such as {'GET /health': 0}";

function parseMilliseconds(value: unknown): number | undefined {
  const ms = parseNumber(value);
  return ms !== undefined && ms >= 0 ? ms : undefined;
}

function parsePercent(value: unknown): number | undefined {
  const percent = parseNumber(value);
  return percent !== undefined && percent > 0 && percent <= 100 ? percent : undefined;
}

function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === '1' || value === 'true') return true;
  return value === '0' || value === 'false' ? false : undefined;
}

function parseSwitch(value: unknown): boolean | undefined {
  if (value === 'on') return true;
  return value === 'off' ? false : parseFlag(value);
}

function parseList(value: unknown): string[] | undefined {
  // Splits at commas outside the braces of a glob.
  const items: unknown = typeof value === 'string' ? value.split(/,(?![^{}]*\})/) : value;
  if (!Array.isArray(items)) return undefined;
  const list: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return undefined;
    if (item.trim() !== '') list.push(item.trim());
  }
  return list;
}

function parseRedact(value: unknown): Redaction | undefined {
  if (value === 'all-values') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { keys, paths } = Object.fromEntries(Object.entries(value));
    const keyList = keys === undefined ? [] : parseList(keys);
    const pathList = paths === undefined ? [] : parseList(paths);
    return keyList && pathList && { keys: keyList, paths: pathList };
  }
  const keys = parseList(value);
  return keys && { keys };
}

const limitsMust = `bounds such as {depth: 5}, of ${Object.keys(defaultLimits).join(', ')}`;

/** Checks only the names of the limits. {@link resolveLimits} checks the values. */
function parseLimits(value: unknown): Record<string, unknown> | undefined {
  const entries: [string, unknown][] | undefined =
    typeof value === 'string'
      ? value.split(',').map((pair) => {
          const [name = '', amount = ''] = pair.split('=');
          return [name.trim(), Number(amount.trim() || Number.NaN)];
        })
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
        : undefined;
  return entries?.every(([name]) => Object.hasOwn(defaultLimits, name))
    ? Object.fromEntries(entries)
    : undefined;
}
