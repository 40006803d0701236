import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

export interface ClickHouseConfig {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** The cluster's name in ClickHouse's configuration; undefined: a single server. */
  readonly cluster: string | undefined;
}

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** URL of Stripe's API, without a trailing slash. */
  readonly apiBase: string;
}

/** An OpenAI-compatible endpoint that summarizes findings. */
export interface LanguageModelConfig {
  /** Base URL without `/chat/completions`. */
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
}

/** The validated settings. */
export interface Config {
  readonly mode: 'development' | 'production';
  readonly port: number;
  readonly host: string;
  /** Port for OTLP over gRPC; undefined: gRPC is off. */
  readonly otlpGrpcPort: number | undefined;
  /** Absolute path of the folder with the server's data. */
  readonly dataDir: string;
  /**
   * URL at which users reach the server, without a trailing slash; undefined: http://localhost and the port.
   */
  readonly publicUrl: string | undefined;
  /** Undefined: PGlite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Undefined: ClickHouse in this process, in the data folder. */
  readonly clickhouse: ClickHouseConfig | undefined;
  /** 32 bytes; undefined: generated into the data folder. */
  readonly secretKey: Buffer | undefined;
  /** Undefined: mail is written to the outbox folder. */
  readonly smtpUrl: string | undefined;
  /** Undefined: no-reply at the host of the public URL. */
  readonly mailFrom: string | undefined;
  /** Undefined: no payments are accepted. */
  readonly stripe: StripeSettings | undefined;
  /**
   * Used only without Stripe. True: accounts choose plans in a sandbox that charges nobody. False: the
   * operator sets their plans.
   */
  readonly billingSandbox: boolean;
  /** Maximum bytes of the trace store on disk; undefined: the size of the disk. */
  readonly maxDiskBytes: number | undefined;
  /** True if stored traces are synced to disk, so that they survive a power failure. */
  readonly fsync: boolean;
  /** Token that other machines need to read /metrics; undefined: no other machine can read it. */
  readonly metricsToken: string | undefined;
  readonly trustProxy: boolean | number | string;
  readonly logLevel: string;
  readonly rateLimits: boolean;
  /** Who can register: everybody, or only people with an invitation. */
  readonly registration: 'open' | 'invite';
  /** Port of the demo shop; undefined: no demo workspace. */
  readonly demoPort: number | undefined;
  /** Undefined: findings are not summarized, and no data about them leaves this server. */
  readonly languageModel: LanguageModelConfig | undefined;
  /** True if webhooks of alerts can have addresses in the server's private network. */
  readonly alertPrivateTargets: boolean;
}

/** One or more settings have invalid values; the message lists each invalid setting on its own line. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/** Options of the command line. */
export interface StartOptions {
  readonly production: boolean;
  readonly demo: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = (lowest: number) => {
  const error = `must be a whole number from ${lowest} to 65535`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number().min(lowest, error).max(65_535, error));
};

const url = (protocols: RegExp, like: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${like}` });

function isProxyAddress(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.trim().split('/');
  const named = /^(loopback|linklocal|uniquelocal)$/.test(text.trim());
  return named || (isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && rest.length === 0);
}

const Settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], { error: 'must be development, production or test' })
    .default('development'),
  PORT: port(0).default(3001),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
    .optional(),
  OTLP_GRPC_PORT: port(0).optional(),
  DEMO_PORT: port(1).default(3002),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_URL: url(/^https?$/, 'https://throughline.example.com')
    .transform((address) => address.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database').optional(),
  CLICKHOUSE_URL: url(/^https?$/, 'http://host:8123').optional(),
  CLICKHOUSE_USER: z.string().default('default'),
  CLICKHOUSE_PASSWORD: z.string().default(''),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be a name of letters, digits and _')
    .default('default'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^([\w.-]+|\{cluster\})$/, "must be a cluster's name as ClickHouse's configuration has it")
    .optional(),
  SECRET_KEY: z
    .base64({ error: 'must be 32 bytes in base64, as `openssl rand -base64 32` prints them' })
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(
      (key) => key.length === 32,
      'must be 32 bytes in base64, as `openssl rand -base64 32` prints them',
    )
    .optional(),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, 'must be a sender like Throughline <no-reply@example.com>')
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_\w{8,}$/, 'must be a secret key of Stripe, like sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[\w+/=-]{8,}$/, "must be the webhook endpoint's signing secret, like whsec_…")
    .optional(),
  BILLING_SANDBOX: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  STRIPE_API_BASE: url(/^https?$/, 'https://api.stripe.com').default('https://api.stripe.com'),
  MAX_DISK_GB: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number of gigabytes, such as 50')
    .transform(Number)
    .refine((gigabytes) => gigabytes >= 0.1, 'must be 0.1 gigabytes at least')
    .optional(),
  FSYNC: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must be at least 16 characters without blanks')
    .optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (text) => /^(true|false|\d{1,3})$/.test(text) || text.split(',').every(isProxyAddress),
      'must be true, false, a number of proxies, or their addresses, separated by commas',
    )
    .default('false'),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  REGISTRATION: z.enum(['open', 'invite'], { error: 'must be open or invite' }).default('open'),
  INSIGHTS_LLM_URL: url(/^https?$/, 'https://api.example.com/v1').optional(),
  INSIGHTS_LLM_KEY: z.string().optional(),
  INSIGHTS_LLM_MODEL: z.string().optional(),
  ALERT_PRIVATE_TARGETS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  RATE_LIMITS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
});

/** Name of an environment variable that the server reads. */
export type SettingName = keyof z.input<typeof Settings>;

/**
 * Returns the default of each setting as a string. The default is undefined if the setting has none, or if it depends on other settings.
 */
export function readSettingDefaults(): Readonly<Partial<Record<SettingName, string>>> {
  const defaults = Object.entries(Settings.parse({})).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defaults.map(([name, value]) => [name, String(value)]));
}

/**
 * Reads the settings from environment variables. Empty variables count as unset; unknown variables are
 * ignored.
 * @throws ConfigError
 */
export function readConfig(
  start: StartOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const settings = parseEnvironment(Settings, environment);
  const production = start.production || settings.NODE_ENV === 'production';
  const config: Config = {
    mode: production ? 'production' : 'development',
    port: settings.PORT,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    otlpGrpcPort: settings.OTLP_GRPC_PORT,
    dataDir: resolve(settings.DATA_DIR),
    publicUrl: settings.PUBLIC_URL,
    databaseUrl: settings.DATABASE_URL,
    clickhouse:
      settings.CLICKHOUSE_URL === undefined
        ? undefined
        : {
            url: settings.CLICKHOUSE_URL,
            user: settings.CLICKHOUSE_USER,
            password: settings.CLICKHOUSE_PASSWORD,
            database: settings.CLICKHOUSE_DATABASE,
            cluster: settings.CLICKHOUSE_CLUSTER,
          },
    secretKey: settings.SECRET_KEY,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    stripe: readStripe(settings),
    billingSandbox: (settings.BILLING_SANDBOX ?? (production ? 'off' : 'on')) === 'on',
    maxDiskBytes: settings.MAX_DISK_GB === undefined ? undefined : settings.MAX_DISK_GB * 1e9,
    fsync: settings.FSYNC === 'on',
    metricsToken: settings.METRICS_TOKEN,
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    logLevel: settings.LOG_LEVEL,
    rateLimits: settings.RATE_LIMITS === 'on',
    registration: settings.REGISTRATION,
    demoPort: start.demo ? settings.DEMO_PORT : undefined,
    languageModel: readLanguageModel(settings),
    alertPrivateTargets: settings.ALERT_PRIVATE_TARGETS === 'on',
  };
  if (settings.CLICKHOUSE_CLUSTER !== undefined && config.clickhouse === undefined) {
    throw new ConfigError(
      'CLICKHOUSE_URL must be set if CLICKHOUSE_CLUSTER is set. Set it to the URL of one of the cluster’s servers',
    );
  }
  if (settings.BILLING_SANDBOX === 'on' && config.stripe !== undefined) {
    throw new ConfigError(
      'BILLING_SANDBOX must be off if STRIPE_SECRET_KEY is set: Stripe takes the payments',
    );
  }
  refuseContradictions(config);
  return config;
}

/** Parses environment variables, of which empty ones count as unset. @throws ConfigError */
function parseEnvironment<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new ConfigError(
    read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'),
  );
}

function readStripe(settings: z.output<typeof Settings>): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (secretKey === undefined) {
    if (webhookSecret === undefined) return undefined;
    throw new ConfigError(
      'STRIPE_SECRET_KEY must be set if STRIPE_WEBHOOK_SECRET is set: without the key, nobody is charged',
    );
  }
  if (webhookSecret === undefined) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET must be set if STRIPE_SECRET_KEY is set. Set it to the signing secret of the endpoint {PUBLIC_URL}/api/billing/stripe/webhook',
    );
  }
  return { secretKey, webhookSecret, apiBase: settings.STRIPE_API_BASE.replace(/\/+$/, '') };
}

function readLanguageModel(settings: z.output<typeof Settings>): Config['languageModel'] {
  const { INSIGHTS_LLM_URL: url, INSIGHTS_LLM_KEY: key, INSIGHTS_LLM_MODEL: model } = settings;
  if (url === undefined) return undefined;
  if (model === undefined) {
    throw new ConfigError(
      'INSIGHTS_LLM_MODEL must be set if INSIGHTS_LLM_URL is set. Set it to the name of a model at this URL',
    );
  }
  return { url, key, model };
}

function readTrustProxy(text: string): Config['trustProxy'] {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

function refuseContradictions(config: Config): void {
  const production = config.mode === 'production';
  if (production && !config.rateLimits) {
    throw new ConfigError('RATE_LIMITS must be on in production: off is for tests and benchmarks');
  }
  if (production && config.demoPort !== undefined) {
    throw new ConfigError('NODE_ENV must not be production with --demo: the demo has known passwords');
  }
  if (config.databaseUrl !== undefined && config.secretKey === undefined) {
    throw new ConfigError(
      'SECRET_KEY must be set if DATABASE_URL is set, so that every server can decrypt the same data. Set SECRET_KEY to 32 bytes in base64, such as the output of `openssl rand -base64 32`',
    );
  }
}

/** Destination of the `import` command. Uses the SDK's variable names. */
export interface SendSettings {
  /** URL of the server that receives the traces, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | undefined;
}

const SendEnvironment = z.object({
  THROUGHLINE_URL: url(/^https?$/, 'http://localhost:3001').default('http://localhost:3001'),
  THROUGHLINE_API_KEY: z.string().optional(),
});

/** @throws ConfigError */
export function readSendSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SendSettings {
  const { THROUGHLINE_URL, THROUGHLINE_API_KEY } = parseEnvironment(SendEnvironment, environment);
  return { url: THROUGHLINE_URL.replace(/\/+$/, ''), apiKey: THROUGHLINE_API_KEY };
}

/** Server and access token of commands that read from a server, such as `traces`. */
export interface ReadSettings {
  /** URL of the server, without a trailing slash. */
  readonly url: string;
  readonly token: string | undefined;
}

const ReadEnvironment = z.object({
  THROUGHLINE_URL: url(/^https?$/, 'http://localhost:3001').optional(),
  PUBLIC_URL: Settings.shape.PUBLIC_URL,
  THROUGHLINE_TOKEN: z.string().trim().optional(),
});

/** @throws ConfigError */
export function readReadSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ReadSettings {
  const { THROUGHLINE_URL, PUBLIC_URL, THROUGHLINE_TOKEN } = parseEnvironment(ReadEnvironment, environment);
  const url = THROUGHLINE_URL ?? PUBLIC_URL ?? 'http://127.0.0.1:3001';
  return { url: url.replace(/\/+$/, ''), token: THROUGHLINE_TOKEN };
}

/** Number of libuv threads that the server sets. Node's default is 4. */
const THREADS = '16';

/**
 * Raises the number of libuv threads, unless the environment sets it. Every statement of an embedded store occupies a thread while it runs,
 * and file reads must not wait for a statement. Must be called before any thread is used.
 */
export function giveThreads(): void {
  process.env.UV_THREADPOOL_SIZE ??= THREADS;
}
