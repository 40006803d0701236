import type { ErrorGroup, Finding } from '@throughline/contract';
import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { composeMail } from '../../platform/mail/compose.ts';
import { composeDigest, type NamedProjectWeek } from './compose-digest.ts';
import { findDueWeek } from './week.ts';

const id = createId<ProjectId>();
const week = findDueWeek(new Date('2026-11-30T08:00:00Z'));

const PROJECT: NamedProjectWeek = {
  ...{ id, name: 'shop', storedSince: null, hasAllErrors: true, incidents: 0, ongoingIncidents: 0 },
  ...{ newErrors: [], reopenedErrors: [], insights: { count: 0, findings: [] } },
  now: { requests: 1200, errors: 24, p95: 240 },
  before: { requests: 1000, errors: 10, p95: 200 },
};

function compose(...projects: Partial<NamedProjectWeek>[]) {
  if (week === undefined) throw new Error('no week is due');
  return composeMail(
    composeDigest({
      ...{ to: 'ada@test.example', name: 'Ada', week },
      projects: projects.map((one) => ({ ...PROJECT, ...one })),
      publicUrl: 'https://flows.example',
      unsubscribeUrl: 'https://flows.example/unsubscribe/token',
    }),
  );
}

const anError = (message: string, count: number) =>
  ({ id: 'e'.repeat(32), message, service: 'api', count, state: 'ongoing' }) as unknown as ErrorGroup;
const aFinding = (title: string) => ({ title, severity: 'high' }) as Finding;

/** The parameters of a link that select the digest's week. */
const WEEK = 'from=2026-11-23T08%3A00%3A00.000Z&to=2026-11-30T08%3A00%3A00.000Z';

test('the digest contains the stats of a project, their changes, and a link that opens the week of the digest', () => {
  const { subject, text } = compose({ incidents: 2, ongoingIncidents: 1 });
  expect(subject).toBe('Weekly digest: 23 November to 30 November 2026');
  expect(text).toContain(`shop
  Requests: 1,200 (20 % more than the week before)
  Error rate: 2.0 % (1.0 points higher than the week before)
  P95: 240 ms (20 % slower than the week before)
  Errors: No new errors
  Insights: None open
  Alerts: 2 incidents, 1 ongoing
  Open shop: https://flows.example/analytics?project=${id}&${WEEK}`);
  expect(text).toContain('Unsubscribe:\nhttps://flows.example/unsubscribe/token');
});

test.each([
  [
    { requests: 2400, errors: 48, p95: 240 },
    '50 % fewer',
    'same as the week before',
    'same as the week before',
  ],
  [{ requests: 1200, errors: 60, p95: 480 }, 'same as the week before', '3.0 points lower', '50 % faster'],
])('the week is compared with the week before: %j', (before, requests, errors, p95) => {
  const { text } = compose({ before });
  expect(text).toContain(`Requests: 1,200 (${requests}`);
  expect(text).toContain(`Error rate: 2.0 % (${errors}`);
  expect(text).toContain(`P95: 240 ms (${p95}`);
});

test('the digest reports that the week before had no request, or that requests are no longer stored', () => {
  const none = compose({ before: { requests: 0, errors: 0, p95: 0 } }).text;
  expect(none).toContain('Requests: 1,200 (none the week before)');
  expect(none).toContain('P95: 240 ms\n');
  const { text } = compose({ before: null, storedSince: new Date('2026-11-25T10:30:00Z') });
  expect(text).toContain('Requests: 1,200\n');
  expect(text).toContain(
    'Only requests since 2026-11-25 10:30 UTC are counted: earlier requests are no longer stored. Requests of the week before are no longer stored.',
  );
});

test('all new and reopened errors are counted, and the three most frequent of them are listed with links', () => {
  const { text } = compose({
    newErrors: [anError('rare', 1), anError('frequent', 90), anError('usual', 40)],
    reopenedErrors: [anError('back again', 60)],
    hasAllErrors: false,
  });
  expect(text).toContain(`Errors: 3 new, 1 reopened (only the most recently seen errors are counted)
    - frequent (new, api, 90 times)
      https://flows.example/errors?project=${id}&${WEEK}&error=${'e'.repeat(32)}
    - back again (reopened, api, 60 times)`);
  expect(text).toContain('- usual (new, api, 40 times)');
  expect(text).not.toContain('rare');
});

test('insights are described on plans that include them, and only counted on other plans', () => {
  const findings = ['a', 'b', 'c', 'd'].map((word) => aFinding(`Insight ${word}`));
  const described = compose({ insights: { count: 4, findings } }).text;
  expect(described).toContain('Insights: 4 open\n    - Insight a (high severity)');
  expect(described).not.toContain('Insight d');
  const page = `https://flows.example/analytics?project=${id}&${WEEK}&tab=insights`;
  expect(described).toContain(page);
  const counted = compose({ insights: { count: 4, findings: null } }).text;
  expect(counted).toContain('Insights: 4 open\n    - To see these insights, upgrade to Enterprise Plus');
  expect(counted).not.toContain('Insight a');
  expect(counted).toContain(page);
});

test('captured text is one short line that is neither markup nor a link, and a project’s name does not become a link', () => {
  const nasty = `<img src=x onerror=alert(1)>\r\nBcc: all@test.example https://evil.example/x \u202eabc ${'y'.repeat(500)}`;
  const { text, html } = compose({
    name: 'Win at https://evil.example now',
    newErrors: [anError(nasty, 1)],
    insights: { count: 1, findings: [aFinding(nasty)] },
  });
  expect(html).not.toContain('<img');
  expect(html).toContain(
    '&lt;img src=x onerror=alert(1)&gt; Bcc: all@test. example https evil. example/x \\u202eabc',
  );
  expect(text).not.toMatch(/https:\/\/evil|evil\.example|y{200}/);
  expect(text).toContain('Open Win at https evil example now: https://flows.example/');
});

test('the busiest 20 projects are described, and the others are counted', () => {
  const { text } = compose(
    ...Array.from({ length: 22 }, (_one, index) => ({
      name: `project ${index}`,
      now: { requests: 100 + index, errors: 0, p95: 1 },
    })),
  );
  expect(text).toContain('2 more projects had requests: https://flows.example/projects');
  expect(text.indexOf('project 21')).toBeLessThan(text.indexOf('project 20'));
  expect(text).not.toMatch(/project [01]\n/);
});
