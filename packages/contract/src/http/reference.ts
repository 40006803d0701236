import { ROLE_TABLE, ROLES } from '../accounts/roles.ts';
import { API_LIMITS, MAX_REPORTED_FIELDS } from '../limits/api-limits.ts';
import { INGEST_LIMITS } from '../limits/ingest-limits.ts';
import { type RequestLimit, showMax } from '../limits/limit.ts';
import { type LimitedMail, MAIL_LIMITS } from '../limits/mail-limits.ts';
import { OTLP_LIMITS, SPAN_LIMITS, type SpanLimit, TRACE_LIMITS } from '../limits/otlp-limits.ts';
import { PLAN_IDS, PLANS, UNLIMITED } from '../plans/plans.ts';
import { MAX_EXCLUDED_SEARCHES } from '../traces/query/parse-query.ts';
import { QUERY_FIELDS } from '../traces/query/query-fields.ts';
import { MAX_LIVE_FEEDS } from '../traces/traces.ts';
import { VALUE_FORMS } from '../values.ts';
import { BODY_ERRORS, COMMON_ERRORS, ERRORS, type ErrorCode, REJECTIONS } from './errors.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** Builds docs/reference.md from the contract. A test checks that the file is up to date. */
export function writeReference(): string {
  return [
    '# Reference',
    'Generated from `packages/contract`. Do not edit this page by hand.',
    '## API routes',
    'The column *who* names what a request must send: a session token, an API key, or nothing (anyone). *Or token* means that an [access token](guides/search-from-the-command-line.md#access-tokens) is accepted, too. An action such as `projects.edit` requires a role that permits this action: see [roles](#roles). *Recent authentication* means a login or `POST /api/auth/confirm` within the last 15 minutes. *Values masked* means that the response contains no captured values.',
    formatTable(['route', 'what it does', 'who', 'errors'], listCalls()),
    'Routes can also respond with these errors:',
    formatTable(
      ['routes', 'errors'],
      [
        ['every route', listCodes(COMMON_ERRORS)],
        ['routes with a body', listCodes(BODY_ERRORS)],
        ['routes with a session', '401 `unauthenticated`'],
        ['routes with a session or token', '401 `invalid_access_token`'],
        ['routes with only a session', '403 `session_required`'],
        ['routes with recent authentication', '403 `reauthentication_required`'],
      ],
    ),
    '## Filter language',
    'The parameter `q` of `GET /api/traces` filters traces. The routes for facets, groups, stats, the live stream and exports accept the same parameter. Users type the same language into the filter bar of a list.',
    [
      '- Separate terms by spaces. A trace must match all terms.',
      `- \`-field:value\` excludes a value, if the last column says so. You can exclude several values of a field, but at most ${MAX_EXCLUDED_SEARCHES} steps, ${MAX_EXCLUDED_SEARCHES} attributes and one captured value. Set every other filter only once.`,
      '- Put a value with spaces in quotes. Within quotes, write `\\"` for a quote and `\\\\` for a backslash.',
      '- The server refuses an invalid query with 400 `validation_failed`. The message names the position and the fix.',
    ].join('\n'),
    formatTable(['field', 'example', 'finds', 'can be excluded'], filterFields()),
    '## Error codes',
    'The body of an error response is `{ "error": { "code", "message", "remedy", "requestId", "details"? }, "message" }`. Programs read `code`, people read `message`, and `remedy` tells how to fix the problem.',
    formatTable(
      ['code', 'status', 'meaning', 'what to do'],
      Object.entries(ERRORS).map(([code, entry]) => [
        `\`${code}\``,
        String(entry.status),
        entry.meaning,
        entry.remedy,
      ]),
    ),
    '## Reasons to reject a trace of a batch',
    'The other traces of the batch are stored.',
    formatTable(
      ['code', 'meaning'],
      Object.entries(REJECTIONS).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Limits of a request with traces',
    'If a request exceeds a limit, the response is 413 `payload_too_large`. The message names the limit. No trace of the request is stored.',
    formatTable(['limit', 'at most', 'what to do'], requestLimits(INGEST_LIMITS)),
    '## Limits of a request with OpenTelemetry spans',
    'The limits `packedBytes` and `unpackedBytes` of the section above also apply. If a request exceeds a limit, the response is 413 over HTTP and INVALID_ARGUMENT over gRPC, so that senders do not send the request again. The message names the limit. No span of the request is stored.',
    formatTable(['limit', 'at most', 'what to do'], requestLimits(OTLP_LIMITS)),
    '## Limits of one span',
    formatTable(['limit', 'at most', 'if a span exceeds the limit'], listSpanLimits(SPAN_LIMITS)),
    'Names, paths and other texts in lists are shortened to the limits of the native format. If a request contains several spans with the same trace id and span id, they count as one span.',
    '## Limits of spans in all requests together',
    'The `partial_success` of the response contains the number of rejected spans and the name of the limit. The metric `throughline_traces_rejected_total{reason="limit_reached"}` counts rejected spans, too. Exporters of OpenTelemetry do not send rejected spans again.',
    formatTable(['limit', 'at most', 'if spans exceed the limit'], listSpanLimits(TRACE_LIMITS)),
    '## Limits of all other routes',
    `If a body exceeds a limit, the response is 413 \`payload_too_large\`. If a URL has too many parameters, the response is 400 \`validation_failed\`. The message names the limit. The response names at most ${MAX_REPORTED_FIELDS} wrong fields, and \`details.moreFields\` counts the others.`,
    formatTable(['limit', 'at most'], [...listApiLimits(), ...listFeedLimits()]),
    '## Captured values',
    'A value that JSON can represent is stored as plain JSON. Every other value is an object with one of these values of `$type`:',
    formatTable(
      ['$type', 'fields'],
      Object.entries(VALUE_FORMS).map(([tag, meaning]) => [`\`${tag}\``, meaning]),
    ),
    '## Roles',
    'A solo user has no organization. The roles of an organization are owner, admin and developer.',
    formatTable(
      ['action', ...ROLES],
      Object.entries<readonly string[]>(ROLE_TABLE).map(([action, allowed]) => [
        `\`${action}\``,
        ...ROLES.map((role) => (allowed.includes(role) ? 'yes' : '–')),
      ]),
    ),
    '## Limits of emails',
    formatTable(['emails', 'at most', 'above the limit'], listMailLimits()),
    '## Plans',
    formatTable(
      ['plan', 'price per month', 'for', 'members', 'projects', 'traces per month', 'retention'],
      listPlans(),
    ),
  ].join('\n\n');
}

function listCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `${ERRORS[code].status} \`${code}\``).join(', ');
}

function listCalls(): string[][] {
  return Object.values(routes).flatMap((group) =>
    Object.values<Route>(group).map((route) => [
      `\`${route.method} ${route.path}\``,
      route.summary,
      describeAccess(route),
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

function describeAccess({ access, recentAuthentication, accessTokens }: Route): string {
  if (access.by === 'anyone') return 'anyone';
  if (access.by === 'api-key') return 'API key';
  const credential = accessTokens === true ? 'session or token' : 'session';
  const session = 'action' in access ? `${credential}, \`${access.action}\`` : credential;
  if (recentAuthentication === true) return `${session}, recent authentication`;
  if (recentAuthentication === 'email-change')
    return `${session}; to change \`email\`, recent authentication`;
  return access.publicViewers === true ? `${session}; for public projects anyone, values masked` : session;
}

function requestLimits(limits: Readonly<Record<string, RequestLimit>>): string[][] {
  return Object.entries(limits).map(([name, { max, what, remedy }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
    remedy,
  ]);
}

function listSpanLimits(limits: Readonly<Record<string, SpanLimit>>): string[][] {
  return Object.entries(limits).map(([name, { max, what, effect }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
    effect,
  ]);
}

function listApiLimits(): string[][] {
  return Object.entries(API_LIMITS).map(([name, { max, what }]) => [
    `\`${name}\``,
    `${showMax(name, max)} ${what}`,
  ]);
}

function listFeedLimits(): string[][] {
  const { session, account, server } = MAX_LIVE_FEEDS;
  return [['live feeds', `${session} per session, ${account} per account, ${server} per server process`]];
}

function listMailLimits(): string[][] {
  return Object.values<LimitedMail>(MAIL_LIMITS).map(({ plural, above, limits }) => [
    plural,
    limits
      .map(({ per, max, hours }) => `${max} per ${per} in ${hours === 1 ? 'an hour' : `${hours} hours`}`)
      .join(', '),
    above === 'refused' ? '429 `too_many_requests` with Retry-After' : 'not sent',
  ]);
}

function listPlans(): string[][] {
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

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
