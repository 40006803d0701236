import { readSettingDefaults, type SettingName } from './config.ts';

/** Descriptions of the settings, in the order in which an operator needs them. */
const SETTINGS: Readonly<Record<SettingName, string>> = {
  PORT: 'Port of the dashboard, the API and OTLP over HTTP; 0 uses any free port',
  HOST: 'The address to listen on; unset: 127.0.0.1, in production 0.0.0.0',
  PUBLIC_URL:
    'The URL of the server as users see it, for links in emails. In development, the dashboard can be opened only under localhost and under this URL. Unset: http://localhost and the port',
  DATA_DIR: 'Folder of both embedded stores, of the generated secret, and of the outbox',
  OTLP_GRPC_PORT: 'Port of OTLP over gRPC, usually 4317; unset: off',
  DATABASE_URL:
    'PostgreSQL for accounts, such as postgres://user:password@host:5432/database; unset: embedded, in DATA_DIR',
  CLICKHOUSE_URL: 'ClickHouse for traces, such as http://host:8123; unset: embedded, in DATA_DIR',
  CLICKHOUSE_USER: 'User of ClickHouse',
  CLICKHOUSE_PASSWORD: 'Password of CLICKHOUSE_USER',
  CLICKHOUSE_DATABASE: 'Name of the database for the tables',
  CLICKHOUSE_CLUSTER:
    "Name of a cluster in ClickHouse's configuration. Tables are replicated and distributed over the cluster. Unset: one server",
  SECRET_KEY:
    'The key that encrypts API keys and secrets: 32 bytes in base64, as `openssl rand -base64 32` prints them. Unset: generated and stored in DATA_DIR. Required if DATABASE_URL is set',
  MAX_DISK_GB:
    'Maximum disk space of stored traces, in GB. If traces need more, the oldest fast traces are deleted first, then slow traces, then failed traces. Unset: the whole disk except a reserve of 5 % or 1 GB, whichever is less',
  FSYNC:
    'on: a trace is acknowledged only after the trace is flushed to the disk, so that the trace survives a loss of power; embedded store only',
  SMTP_URL:
    'Mail server, such as smtp://user:password@host:587; unset: emails are written to DATA_DIR/outbox',
  MAIL_FROM:
    'Sender of emails, such as Throughline <no-reply@example.com>; unset: no-reply at the host of PUBLIC_URL',
  REGISTRATION:
    'invite: only invited users can register; `throughline user create-owner` creates the first account',
  STRIPE_SECRET_KEY:
    'Secret key of Stripe, to take payments; unset: BILLING_SANDBOX decides how plans are changed',
  STRIPE_WEBHOOK_SECRET:
    'Signing secret of the endpoint {PUBLIC_URL}/api/billing/stripe/webhook; required if STRIPE_SECRET_KEY is set',
  BILLING_SANDBOX:
    'Used if STRIPE_SECRET_KEY is not set. on: users choose plans without paying, to try the product. off: the operator sets plans with `throughline plan set`. Unset: off in production, otherwise on',
  STRIPE_API_BASE: "URL of Stripe's API, for tests with a substitute",
  INSIGHTS_LLM_URL:
    'An OpenAI-compatible endpoint that describes findings in words, such as https://api.example.com/v1; unset: findings are not described',
  INSIGHTS_LLM_KEY: 'API key of the endpoint in INSIGHTS_LLM_URL, if the endpoint needs a key',
  INSIGHTS_LLM_MODEL: 'Name of the model; required if INSIGHTS_LLM_URL is set',
  ALERT_PRIVATE_TARGETS:
    "on: alert webhooks can lead to the server's own network, such as 10.0.0.7 or localhost. Use only if every user is trusted",
  METRICS_TOKEN:
    'Bearer token for reading /metrics from other machines or through a proxy; at least 16 characters. Unset: only this machine can read /metrics, and only if PUBLIC_URL is unset or its host is a loopback name, such as localhost or 127.0.0.1',
  TRUST_PROXY:
    'Proxies whose X-Forwarded-For is trusted: true, false, a number of proxies, or their addresses, separated by commas',
  RATE_LIMITS: 'off: for tests and benchmarks; refused in production',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  NODE_ENV: 'development, production or test; the command `throughline` always uses production',
  DEMO_PORT: 'Port of the demo shop that `npm start` runs',
};

export interface Setting {
  readonly name: SettingName;
  readonly does: string;
  /** The setting's default value, written as an operator would write it. Undefined if the setting has no default. */
  readonly byDefault: string | undefined;
}

export function listSettings(): readonly Setting[] {
  const defaults = readSettingDefaults();
  return Object.entries(SETTINGS).map(([name, does]) => {
    // Safe cast: the keys of `SETTINGS` are the names of settings.
    const setting = name as SettingName;
    return { name: setting, does, byDefault: defaults[setting] };
  });
}

const WIDTH = 100;
const INDENT = 24;

export function formatSettingsHelp(): string {
  return listSettings()
    .map(({ name, does, byDefault }) => {
      const words = `${does}${byDefault === undefined || byDefault === '' ? '' : ` (${byDefault})`}`.split(
        ' ',
      );
      const lines = [''];
      for (const word of words) {
        const last = lines.at(-1) ?? '';
        if (last !== '' && INDENT + last.length + 1 + word.length > WIDTH) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return `  ${name.padEnd(INDENT - 2)}${lines.join(`\n${' '.repeat(INDENT)}`)}`;
    })
    .join('\n');
}

/** Formats all settings as docs/settings.md. */
export function formatSettingsPage(): string {
  const rows = listSettings().map(
    ({ name, does, byDefault }) =>
      `| \`${name}\` | ${byDefault === undefined || byDefault === '' ? '' : `\`${byDefault}\``} | ${does} |`,
  );
  return `# Settings

The server and its commands read these settings from environment variables. An empty variable counts as unset.

- \`throughline help\` lists all settings.
- \`throughline doctor\` checks your settings.

This page is generated from \`apps/server/src/platform/settings.ts\`.

| setting | default | what it does |
| --- | --- | --- |
${rows.join('\n')}

The command \`throughline import\` reads two other variables, as the SDK does: the command sends traces to \`THROUGHLINE_URL\` (default \`http://localhost:3001\`) with the API key in \`THROUGHLINE_API_KEY\`.

The command [\`throughline traces\`](guides/search-from-the-command-line.md) reads with the access token in \`THROUGHLINE_TOKEN\` from \`THROUGHLINE_URL\`; if that is unset, from \`PUBLIC_URL\`; if both are unset, from \`http://127.0.0.1:3001\`.
`;
}
