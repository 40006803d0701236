import { ROLE_TABLE, ROLES } from '../accounts/roles.ts';
import { API_LIMITS, MAX_REPORTED_FIELDS } from '../limits/api-limits.ts';
import { INGEST_LIMITS } from '../limits/ingest-limits.ts';
import { type RequestLimit, showMax } from '../limits/limit.ts';
import { type LimitedMail, MAIL_LIMITS } from '../limits/mail-limits.ts';
import { OTLP_LIMITS, SPAN_LIMITS, type SpanLimit, TRACE_LIMITS } from '../limits/otlp-limits.ts';
import { PLAN_IDS, PLANS, UNLIMITED } from '../plans/plans.ts';
import { QUERY_FIELDS } from '../traces/query/query-fields.ts';
import { MAX_LIVE_FEEDS } from '../traces/traces.ts';
import { VALUE_FORMS } from '../values.ts';
import { BODY_ERRORS, COMMON_ERRORS, ERRORS, type ErrorCode, REJECTIONS } from './errors.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** Builds docs/reference.md from the contract. A test checks that the file matches. */
export function referenceMarkdown(): string {
  return [
    '# Reference',
    'Made from `packages/contract`; do not edit by hand.',
    '## Calls',
    table(['call', 'what it does', 'who', 'errors'], calls()),
    `Every call may also answer ${listCodes(COMMON_ERRORS)}; those that take a body ${listCodes(BODY_ERRORS)}; those that need a session 401 \`unauthenticated\`, those that need a recent authentication 403 \`reauthentication_required\`.`,
    '## Filter language',
    '`q` of `GET /api/traces`, its facets, figures, stream and export; the same text is typed into the list\'s filter bar. Terms have spaces between them, and all must match. `-field:value` excludes a value where the table says so, several times if needed; any other filter is given once. A value with spaces stands in quotes, with `\\"` and `\\\\` inside of them. A refusal is 400 `validation_failed` and names the characters and the fix.',
    table(['field', 'example', 'finds', 'can be excluded'], filterFields()),
    '## Error codes',
    '`{ "error": { "code", "message", "remedy", "requestId", "details"? }, "message" }`. `message` is for people, `code` for programs, `remedy` says what to do about it.',
    table(
      ['code', 'status', 'meaning', 'what to do'],
      Object.entries(ERRORS).map(([code, entry]) => [
        `\`${code}\``,
        String(entry.status),
        entry.meaning,
        entry.remedy,
      ]),
    ),
    '## Why one trace of a batch is rejected',
    table(
      ['code', 'meaning'],
      Object.entries(REJECTIONS).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Limits of a request that sends traces',
    'A request over one of them is answered 413 `payload_too_large`; the message names the limit, and nothing of the request is stored.',
    table(['limit', 'at most', 'what to do'], requestLimits(INGEST_LIMITS)),
    "## Limits of a request that sends OpenTelemetry's spans",
    'Beside `packedBytes` and `unpackedBytes`. OTLP over HTTP answers 413 and over gRPC INVALID_ARGUMENT, which senders do not try again; the message names the limit, and nothing of the request is stored.',
    table(['limit', 'at most', 'what to do'], requestLimits(OTLP_LIMITS)),
    '## Limits of one span',
    table(['limit', 'at most', 'a span over it'], spanLimits(SPAN_LIMITS)),
    'Names, paths and other texts that lists show are cut where they are longer than those of our own format may be. Spans of one request with the same trace id and span id are one span.',
    '## Limits of spans over many requests',
    'Rejected spans are counted in the answer\'s `partial_success`, which names the limit, and in `throughline_traces_rejected_total{reason="limit_reached"}`. OpenTelemetry\'s senders do not try them again.',
    table(['limit', 'at most', 'spans over it'], spanLimits(TRACE_LIMITS)),
    '## Limits of all other calls',
    `A body over one of them is answered 413 \`payload_too_large\`, too many parameters 400 \`validation_failed\`; the message names the limit. A refusal names ${MAX_REPORTED_FIELDS} wrong fields at most and counts the others in \`details.moreFields\`.`,
    table(['limit', 'at most'], [...apiLimits(), ...feedLimits()]),
    '## Captured values',
    'Plain JSON stays plain JSON. Everything else is an object whose `$type` is one of these.',
    table(
      ['$type', 'fields'],
      Object.entries(VALUE_FORMS).map(([tag, meaning]) => [`\`${tag}\``, meaning]),
    ),
    '## Who may do what',
    table(
      ['action', ...ROLES],
      Object.entries<readonly string[]>(ROLE_TABLE).map(([action, allowed]) => [
        `\`${action}\``,
        ...ROLES.map((role) => (allowed.includes(role) ? 'yes' : '–')),
      ]),
    ),
    '## How many mails go out',
    table(['mail', 'at most', 'above that'], mailLimits()),
    '## Plans',
    table(['plan', 'price per month', 'for', 'members', 'projects', 'traces a month', 'kept'], plans()),
  ].join('\n\n');
}

function listCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `${ERRORS[code].status} \`${code}\``).join(', ');
}

function calls(): string[][] {
  return Object.values(routes).flatMap((group) =>
    Object.values<Route>(group).map((route) => [
      `\`${route.method} ${route.path}\``,
      route.summary,
      who(route),
      route.errors.map((code) => `\`${code}\``).join(' '),
    ]),
  );
}

function filterFields(): string[][] {
  return QUERY_FIELDS.map(({ name, example, about, negation }) => [
    `\`${name}\``,
    `\`${example}\``,
    about,
    negation === 'none' ? '–' : 'yes',
  ]);
}

function who({ access, recentAuthentication }: Route): string {
  if (access.by === 'anyone') return 'anyone';
  if (access.by === 'api-key') return 'API key';
  const session = 'action' in access ? `session, \`${access.action}\`` : 'session';
  if (recentAuthentication === true) return `${session}, recent authentication`;
  if (recentAuthentication === 'email-change')
    return `${session}; to change \`email\`, recent authentication`;
  return access.visitors === true ? `${session}; of public projects anyone, values masked` : session;
}

function requestLimits(limits: Readonly<Record<string, RequestLimit>>): string[][] {
  return Object.entries(limits).map(([name, { max, what, remedy }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
    remedy,
  ]);
}

function spanLimits(limits: Readonly<Record<string, SpanLimit>>): string[][] {
  return Object.entries(limits).map(([name, { max, what, effect }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
    effect,
  ]);
}

function apiLimits(): string[][] {
  return Object.entries(API_LIMITS).map(([name, { max, what }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
  ]);
}

function feedLimits(): string[][] {
  const { session, account, server } = MAX_LIVE_FEEDS;
  return [
    ['live feeds', `${session} open of a session, ${account} of an account, ${server} of a server process`],
  ];
}

function mailLimits(): string[][] {
  return Object.values<LimitedMail>(MAIL_LIMITS).map(({ plural, above, limits }) => [
    plural,
    limits
      .map(({ per, max, hours }) => `${max} per ${per} in ${hours === 1 ? 'an hour' : `${hours} hours`}`)
      .join(', '),
    above === 'refused' ? '429 `too_many_requests` with Retry-After' : 'left out',
  ]);
}

function plans(): string[][] {
  const limit = (count: number): string =>
    count === UNLIMITED ? 'unlimited' : count.toLocaleString('en-US');
  return PLAN_IDS.map((id) => PLANS[id]).map((plan) => [
    `${plan.name} (\`${plan.id}\`)`,
    `$${plan.price}`,
    plan.kinds.join(', '),
    limit(plan.maxMembers),
    limit(plan.maxProjects),
    limit(plan.maxTracesPerMonth),
    plan.retentionHours < 24 ? `${plan.retentionHours} h` : `${plan.retentionHours / 24} days`,
  ]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
