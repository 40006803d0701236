import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const development = { production: false, demo: false };
const production = { production: true, demo: false };

const catchProblem = (environment: Record<string, string>, start = development): string => {
  try {
    readConfig(start, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
};

describe('settings', () => {
  test('are all optional', () => {
    expect(readConfig(development, {})).toMatchObject({
      mode: 'development',
      port: 3001,
      host: '127.0.0.1',
      rateLimits: true,
      registration: 'open',
      demoPort: undefined,
      databaseUrl: undefined,
      clickhouse: undefined,
      languageModel: undefined,
    });
    expect(readConfig({ production: false, demo: true }, {}).demoPort).toBe(3002);
    expect(readConfig(production, {})).toMatchObject({ mode: 'production', host: '0.0.0.0' });
  });

  test('count as unset if empty, and unknown variables are ignored', () => {
    expect(readConfig(development, { PORT: '', DATABASE_URL: '', HTTP_PROXY: 'x', HOME: '/' }).port).toBe(
      3001,
    );
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535'],
    [{ DEMO_PORT: '0' }, 'DEMO_PORT must be a whole number from 1 to 65535'],
    [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL must be an address like https://throughline.example.com'],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'DATABASE_URL must be an address like postgres://user:password@host:5432/database',
    ],
    [
      { INSIGHTS_LLM_URL: 'localhost' },
      'INSIGHTS_LLM_URL must be an address like https://api.example.com/v1',
    ],
    [
      { INSIGHTS_LLM_URL: 'http://localhost:11434/v1' },
      'INSIGHTS_LLM_MODEL must be set if INSIGHTS_LLM_URL is set. Set it to the name of a model at this URL',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    [{ REGISTRATION: 'closed' }, 'REGISTRATION must be open or invite'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be on or off'],
    [{ FSYNC: 'yes' }, 'FSYNC must be on or off'],
    [
      { CLICKHOUSE_URL: 'http://x:8123', CLICKHOUSE_CLUSTER: "a'b" },
      "CLICKHOUSE_CLUSTER must be a cluster's name as ClickHouse's configuration has it",
    ],
    [
      { CLICKHOUSE_CLUSTER: 'main' },
      'CLICKHOUSE_URL must be set if CLICKHOUSE_CLUSTER is set. Set it to the URL of one of the cluster’s servers',
    ],
    [{ MAX_DISK_GB: '5 GB' }, 'MAX_DISK_GB must be a number of gigabytes, such as 50'],
    [{ MAX_DISK_GB: '0' }, 'MAX_DISK_GB must be 0.1 gigabytes at least'],
    [{ NODE_ENV: 'staging' }, 'NODE_ENV must be development, production or test'],
  ])('%j prevents the start with a line that names the setting', (environment, line) => {
    expect(catchProblem(environment)).toBe(line);
  });

  test('with invalid values are listed one per line, without showing a secret', () => {
    const problem = catchProblem({ PORT: 'x', SECRET_KEY: 'hunter2', DATABASE_URL: 'hunter3' });
    expect(problem.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SECRET_KEY',
    ]);
    expect(problem).not.toMatch(/hunter/);
  });

  test('cannot turn off the protections of a production server', () => {
    expect(catchProblem({ RATE_LIMITS: 'off' }, production)).toMatch(/^RATE_LIMITS /);
    expect(catchProblem({ RATE_LIMITS: 'off', NODE_ENV: 'production' })).toMatch(/^RATE_LIMITS /);
    expect(catchProblem({}, { production: true, demo: true })).toMatch(/^NODE_ENV /);
  });

  test('allow free plans in the sandbox only in development, unless set explicitly', () => {
    const isOn = (start: typeof production, BILLING_SANDBOX = '') =>
      readConfig(start, { BILLING_SANDBOX }).billingSandbox;
    expect([isOn(development), isOn(production)]).toEqual([true, false]);
    expect([isOn(development, 'off'), isOn(production, 'on')]).toEqual([false, true]);
    expect(catchProblem({ BILLING_SANDBOX: 'yes' })).toBe('BILLING_SANDBOX must be on or off');
    const [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET] = [`sk_${'x'.repeat(8)}`, `whsec_${'x'.repeat(8)}`];
    expect(catchProblem({ BILLING_SANDBOX: 'on', STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET })).toBe(
      'BILLING_SANDBOX must be off if STRIPE_SECRET_KEY is set: Stripe takes the payments',
    );
  });

  test('must include the secret if several servers share a database', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/x' };
    expect(catchProblem(environment)).toMatch(/^SECRET_KEY must be set if DATABASE_URL is set/);
    expect(catchProblem({ SECRET_KEY: Buffer.alloc(16).toString('base64') })).toMatch(
      /^SECRET_KEY must be 32 bytes/,
    );
    expect(readConfig(development, { ...environment, SECRET_KEY: KEY }).secretKey).toEqual(
      Buffer.alloc(32, 7),
    );
  });

  test('accept trusted proxies as a switch, a number or addresses', () => {
    const trust = (TRUST_PROXY: string) => readConfig(development, { TRUST_PROXY }).trustProxy;
    expect([trust('true'), trust('2'), trust('10.0.0.0/8, ::1')]).toEqual([true, 2, '10.0.0.0/8, ::1']);
    for (const TRUST_PROXY of ['maybe', '1.2', '10.0.0.0/8/8', '10.0.0.1,,']) {
      expect(catchProblem({ TRUST_PROXY })).toMatch(/^TRUST_PROXY /);
    }
  });
});
