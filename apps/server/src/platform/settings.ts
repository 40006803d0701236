import { type SettingName, settingDefaults } from './config.ts';

/** What each setting does, in the order in which one comes to need them. */
const SETTINGS: Readonly<Record<SettingName, string>> = {
  PORT: 'Where the dashboard, the API and OTLP over HTTP are served; 0 takes any free port',
  HOST: 'The address that is listened on; unset: 127.0.0.1, in production 0.0.0.0',
  PUBLIC_URL:
    'Where people reach the server, for links in mails; in development its host is answered to beside localhost. Unset: http://localhost and the port',
  DATA_DIR: 'The folder of both embedded stores, the generated secret and the outbox',
  OTLP_GRPC_PORT: 'Where OTLP over gRPC is taken as well, usually 4317; unset: nowhere',
  DATABASE_URL:
    'PostgreSQL for accounts, such as postgres://user:password@host:5432/database; unset: embedded, in DATA_DIR',
  CLICKHOUSE_URL: 'ClickHouse for traces, such as http://host:8123; unset: embedded, in DATA_DIR',
  CLICKHOUSE_USER: "ClickHouse's user",
  CLICKHOUSE_PASSWORD: "That user's password",
  CLICKHOUSE_DATABASE: 'The database there that has, or gets, the tables',
  CLICKHOUSE_CLUSTER:
    "A cluster's name as ClickHouse's configuration has it: tables are replicated and distributed over it; unset: one server",
  SECRET_KEY:
    'Encrypts keys and secrets: 32 bytes in base64, as `openssl rand -base64 32` prints them; unset: generated into DATA_DIR. Required with DATABASE_URL',
  MAX_DISK_GB:
    'What stored traces may take on disk; beyond it the oldest quick ones go first, then slow ones, then failed ones. Unset: as much as the disk has, less a reserve of 5 % or 1 GB',
  FSYNC:
    'on: a trace is acknowledged once the disk itself has it, against a loss of power; embedded store only',
  SMTP_URL: 'The mail server, such as smtp://user:password@host:587; unset: mails go to DATA_DIR/outbox',
  MAIL_FROM:
    "The mails' sender, such as Throughline <no-reply@example.com>; unset: no-reply at the host of PUBLIC_URL",
  REGISTRATION:
    'invite: only who is invited may make an account; `throughline user create-owner` makes the first',
  STRIPE_SECRET_KEY: 'Takes payments through Stripe: a secret key; unset: BILLING_SANDBOX decides',
  STRIPE_WEBHOOK_SECRET:
    'The signing secret of the endpoint {PUBLIC_URL}/api/billing/stripe/webhook; required with STRIPE_SECRET_KEY',
  BILLING_SANDBOX:
    'Without Stripe: on: accounts choose plans and no card is charged, for trials; off: the operator sets plans with `throughline plan set`. Unset: off in production, else on',
  STRIPE_API_BASE: "Stripe's address, for tests against a double",
  INSIGHTS_LLM_URL:
    'An OpenAI-compatible endpoint that puts findings into words, such as https://api.example.com/v1; unset: nothing leaves the server',
  INSIGHTS_LLM_KEY: 'Its key, where it wants one',
  INSIGHTS_LLM_MODEL: "Its model's name; required with INSIGHTS_LLM_URL",
  METRICS_TOKEN:
    'Opens /metrics beyond this machine and behind a proxy on it: at least 16 characters, sent as a bearer token',
  TRUST_PROXY:
    'Whose X-Forwarded-For is believed: true, false, a number of proxies, or their addresses with commas between',
  RATE_LIMITS: 'off: for tests and benchmarks; refused in production',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  NODE_ENV: 'development, production or test; the command `throughline` is production whatever it says',
  DEMO_PORT: 'Where the demo shop listens that `npm start` runs',
};

export interface Setting {
  readonly name: SettingName;
  readonly does: string;
  /** As one would set it; undefined where there is none. */
  readonly byDefault: string | undefined;
}

/** All settings that the environment may give the server. */
export function allSettings(): readonly Setting[] {
  const defaults = settingDefaults();
  return Object.entries(SETTINGS).map(([name, does]) => {
    // The table has no other keys.
    const setting = name as SettingName;
    return { name: setting, does, byDefault: defaults[setting] };
  });
}

const WIDTH = 100;
const INDENT = 24;

/** All settings as the command line's help says them. */
export function settingsHelp(): string {
  return allSettings()
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

/** All settings as docs/settings.md. */
export function settingsPage(): string {
  const rows = allSettings().map(
    ({ name, does, byDefault }) =>
      `| \`${name}\` | ${byDefault === undefined || byDefault === '' ? '' : `\`${byDefault}\``} | ${does} |`,
  );
  return `# Settings

The server and its commands read these from the environment; an empty variable counts as unset. \`throughline help\` lists them, \`throughline doctor\` says what is wrong with them.
This page is made from the code (\`apps/server/src/platform/settings.ts\`).

| setting | default | what it does |
| --- | --- | --- |
${rows.join('\n')}

The command \`throughline import\` sends to \`THROUGHLINE_URL\` (\`http://localhost:3001\`) under \`THROUGHLINE_API_KEY\`, as the SDK does.
`;
}
