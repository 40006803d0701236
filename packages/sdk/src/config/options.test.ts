import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultLimits } from '../record/capture/limits.ts';
import { type Options, readSettings } from './options.ts';

function read(options: unknown, env: Record<string, string> = {}) {
  const lines: string[] = [];
  return { settings: readSettings(options, env, (line) => lines.push(line)), lines };
}

test('each option has its default if none is set', () => {
  expect(read(undefined)).toEqual({
    lines: [],
    settings: {
      apiKey: undefined,
      url: 'http://localhost:3001',
      service: undefined,
      environment: undefined,
      release: undefined,
      capture: 'all',
      captureChosen: false,
      sampleRate: 1,
      sampleRateChosen: false,
      sampleRoutes: [],
      followParent: false,
      slowMs: 1000,
      cpuBudget: undefined,
      include: [],
      exclude: [],
      accessors: false,
      cache: true,
      redact: {},
      limits: defaultLimits,
      source: undefined,
      logs: false,
      tests: false,
      debug: false,
    },
  });
});

test('environment variables set the same options as code', () => {
  const inCode = {
    apiKey: 'tl_a',
    url: 'https://trace.test/base',
    service: 'shop',
    environment: 'staging',
    release: 'r1',
    capture: 'structure',
    sampleRate: 0.25,
    sampleRoutes: { 'GET /health': 0, '/orders/:id': 1 },
    followParent: true,
    slowMs: 250,
    cpuBudget: 2.5,
    include: ['src/**', 'lib/**'],
    exclude: ['src/x.js'],
    accessors: true,
    redact: { keys: ['nickname'] },
    limits: { depth: 5, items: 50 },
    source: false,
    logs: true,
    tests: true,
    debug: true,
  } satisfies Options;
  const inEnvironment = {
    THROUGHLINE_API_KEY: 'tl_a',
    THROUGHLINE_URL: 'https://trace.test/base/',
    THROUGHLINE_SERVICE: 'shop',
    THROUGHLINE_ENVIRONMENT: 'staging',
    THROUGHLINE_RELEASE: 'r1',
    THROUGHLINE_CAPTURE: 'structure',
    THROUGHLINE_SAMPLE_RATE: '0.25',
    THROUGHLINE_SAMPLE_ROUTES: 'GET /health=0, /orders/:id=1',
    THROUGHLINE_FOLLOW_PARENT: 'true',
    THROUGHLINE_SLOW_MS: '250',
    THROUGHLINE_CPU_BUDGET: '2.5',
    THROUGHLINE_INCLUDE: 'src/**, lib/**',
    THROUGHLINE_ACCESSORS: 'true',
    THROUGHLINE_EXCLUDE: 'src/x.js',
    THROUGHLINE_REDACT: 'nickname',
    THROUGHLINE_LIMITS: 'depth=5, items=50',
    THROUGHLINE_SOURCE: 'off',
    THROUGHLINE_LOGS: 'true',
    THROUGHLINE_TESTS: '1',
    THROUGHLINE_DEBUG: '1',
  };
  const { settings } = read(undefined, inEnvironment);
  const { redact } = settings;
  if (redact === 'all-values') throw new Error('rules were given');
  expect(read({ redact: 'all-values' }).settings.redact).toBe('all-values');
  expect({ ...settings, redact: { keys: redact.keys } }).toEqual({
    ...read(inCode).settings,
    redact: { keys: ['nickname'] },
  });
  expect(settings).toMatchObject({
    sampleRate: 0.25,
    captureChosen: true,
    limits: { depth: 5, items: 50, keys: 20 },
  });
});

test('options in code override environment variables, and NODE_ENV is the default environment', () => {
  const { settings } = read({ service: 'code' }, { THROUGHLINE_SERVICE: 'env', NODE_ENV: 'test' });
  expect(settings).toMatchObject({ service: 'code', environment: 'test' });
});

test.each<[string, unknown, Record<string, string>, RegExp]>([
  [
    'a rate',
    { sampleRate: 2 },
    {},
    /option sampleRate must be a number from 0 to 1, not 2; using the default/,
  ],
  [
    'a rate in the environment',
    {},
    { THROUGHLINE_SAMPLE_RATE: 'half' },
    /THROUGHLINE_SAMPLE_RATE must be .* not "half"/,
  ],
  ['a route', { sampleRoutes: { health: 0 } }, {}, /option sampleRoutes must be routes with a rate/],
  ['a budget', {}, { THROUGHLINE_CPU_BUDGET: '0' }, /THROUGHLINE_CPU_BUDGET must be a percentage over 0/],
  ['a wait', { slowMs: -1 }, {}, /option slowMs must be a number of milliseconds, not -1/],
  ['a mode', { capture: 'everything' }, {}, /option capture must be all, structure or off/],
  ['an address', { url: 'ftp://x' }, {}, /option url must be an http or https address/],
  ['globs', { include: [1] }, {}, /option include must be a list of globs, not an array/],
  ['a limit', { limits: { depht: 3 } }, {}, /option limits must be bounds such as/],
  ["a limit's amount", { limits: { depth: 99 } }, {}, /limits.depth must be a whole number/],
  ['rules', { redact: 7 }, {}, /option redact must be rules/],
  ['a key', { apiKey: 17 }, {}, /option apiKey must be a project key/],
  ['no options at all', 'options', {}, /init takes an object of options, not string/],
])(
  'an invalid option (%s) is reported in one clear line, and the default is used',
  (_what, options, env, line) => {
    const { settings, lines } = read(options, env);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
    expect(settings).toMatchObject({ sampleRate: 1, capture: 'all', url: 'http://localhost:3001' });
  },
);

test('an unknown option is reported in one line that names the known options', () => {
  const { settings, lines } = read(
    { servcie: 'shop', debug: true },
    { THROUGHLINE_APIKEY: 'tl_a', NODE_ENV: 'test' },
  );
  expect(lines).toEqual([
    expect.stringMatching(/^there is no option "servcie"; there are accessors, apiKey, .*service, .*url$/),
    expect.stringMatching(/^there is no option "THROUGHLINE_APIKEY"; there are .*THROUGHLINE_API_KEY, /),
  ]);
  expect(settings).toMatchObject({ debug: true, environment: 'test' });
});

test('the error about a secret in the wrong option does not show the whole secret', () => {
  const { lines } = read({ capture: 'tl_0123456789012345678901234567890123456789' });
  expect(lines[0]).toContain('"tl_01234…"');
});

test('any options and environment variables give valid settings, without an exception', () => {
  const names = [
    'apiKey',
    'url',
    'service',
    'capture',
    'sampleRate',
    'sampleRoutes',
    'followParent',
    'slowMs',
    'cpuBudget',
    'include',
    'exclude',
    'accessors',
    'redact',
    'limits',
    'logs',
    'tests',
    'debug',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything()), (options) => {
      const { settings } = read(options);
      expect(URL.canParse(settings.url)).toBe(true);
      expect(settings.sampleRate >= 0 && settings.sampleRate <= 1).toBe(true);
      expect(['all', 'structure', 'off']).toContain(settings.capture);
      for (const { rate } of settings.sampleRoutes) expect(rate >= 0 && rate <= 1).toBe(true);
      expect(settings.slowMs).toBeGreaterThanOrEqual(0);
      for (const limit of Object.values(settings.limits)) expect(Number.isInteger(limit)).toBe(true);
    }),
  );
});

test('the environment from NODE_ENV is cut to the length that the server accepts', () => {
  expect(readSettings({}, { NODE_ENV: 'e'.repeat(300) }, () => {}).environment).toHaveLength(255);
  expect(readSettings({}, { NODE_ENV: ' ' }, () => {}).environment).toBeUndefined();
});
