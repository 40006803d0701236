import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder } from '../harness/traces/traces.ts';

const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
const LONG_WORD = '5f0c2a0be7d94bb3b5d1f4c9a7e0c111'.repeat(4);
const common = {
  ...{ severity: 'high', service: 'shop', since: ago(90), startsWithin: null, requestCount: 38 },
  ...{ userCount: 4, traces: { projectId: 'p' }, exampleTraceIds: ['00000000-0000-7000-8000-000000000001'] },
};
const newError = {
  ...{ ...common, kind: 'newError', id: 'e1', endpoint: null },
  ...{ title: `New error on instance w3: no cart ${LONG_WORD}`, detail: `All are of ${LONG_WORD}.` },
  evidence: {
    ...{ errorId: 'e', environment: null, part: { name: 'instance', value: 'w3', share: 25 } },
    ...{ message: `no cart ${LONG_WORD}`, userCount: 4, lastOccurrence: ago(3) },
  },
};
const changed = {
  ...{ ...common, kind: 'changed', id: 'c1', endpoint: { method: 'GET', path: `/reports/${LONG_WORD}` } },
  ...{
    title: `GET /reports/${LONG_WORD} fails more often, since release 2.4.0`,
    detail: 'Failed requests up.',
  },
  evidence: {
    ...{ signal: 'errorRate', against: 'release', release: '2.4.0', previousRelease: '2.3.9', errorId: null },
    ...{ environment: 'production', part: { name: 'attribute', value: 'tenant:acme' }, windowHours: 9 },
    ...{ before: 0.4, after: 12.5, requestsBefore: 24812, requestsAfter: 1204, endpoints: 1, pValue: 0.0003 },
  },
};

test('findings with long words fit every width; the time of the search is shown, and a finding that was marked as fixed and came back is marked', async ({
  page,
  ada,
}) => {
  await page.route('**/api/analytics/insights/*?*', (route) =>
    route.fulfill({
      json: {
        insights: {
          ...{ range: { startDate: ago(9999), endDate: ago(-60) }, examinedUntil: ago(6.5), hidden: [] },
          ...{ available: true, summaryAvailable: false, requestCount: 2664, returned: ['e1'] },
          ...{ openFindings: { high: 2, medium: 0, low: 0 }, findings: [newError, changed] },
        },
      },
    }),
  );
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/analytics');
  const insights = page.getByRole('region', { name: 'Insights' });
  for (const width of [1440, 900, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(insights).toContainText('2 findings in 2,664 requests: 2 high. Searched 6 min ago.');
    await expect(insights.getByRole('article').first()).toContainText('Marked as fixed, seen again');
    expect(await findLayoutFaults(page), `${width} px`).toEqual([]);
    const overflow = await insights
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(overflow, `${width} px`).toEqual([0, 0]);
  }
  await expectAccessibleInBoth(page, 'findings on a phone');
});
