import { ERRORS, REJECTIONS } from './errors.ts';
import { PLAN_IDS, PLANS, UNLIMITED } from './plans.ts';
import { ROLE_TABLE, ROLES } from './roles.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { VALUE_FORMS } from './values.ts';

/** docs/reference.md: every table that the contract can say for itself. A test keeps the file equal to this. */
export function referenceMarkdown(): string {
  return [
    '# Reference',
    'Made from `packages/contract`; do not edit by hand.',
    '## Calls',
    table(['call', 'what it does', 'who', 'errors'], calls()),
    'Every call may also answer 429 `too_many_requests`, 500 `internal` and 503 `unavailable`; those that need a session 401 `unauthenticated`.',
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
    '## Plans',
    table(['plan', 'price a month', 'for', 'members', 'projects', 'traces a month', 'kept'], plans()),
  ].join('\n\n');
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

function who({ access }: Route): string {
  if (access.by === 'anyone') return 'anyone';
  if (access.by === 'api-key') return 'API key';
  const session = 'action' in access ? `session, \`${access.action}\`` : 'session';
  return access.visitors === true ? `${session}; of public projects anyone, values masked` : session;
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
