import { routes } from '@throughline/contract';
import { createFakeClock, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const file = serverOfFile({ clock });

/** Builds `count` requests, each by a different user. */
const times = (count: number, hoursAgo: number, message?: string) =>
  Array.from({ length: count }, (_, at) => ({
    request: { method: 'GET', path: '/orders', route: '/orders' },
    timing: {
      startTime: new Date(clock.now().getTime() - (hoursAgo + at / 1000) * HOUR_MS).toISOString(),
      duration: 10,
    },
    user: { id: `user ${at}` },
    ...(message !== undefined && { error: { hasError: true, errorMessage: message } }),
  }));

test('an insight is more severe if it affects many of the users, and states the number of affected users', async () => {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const findNewErrors = async (users: number) => {
    const { id, apiKey } = await makeProject(owner);
    await sendTraces(file.server, apiKey, [
      ...times(100, 240),
      ...times(users, 2),
      ...times(6, 1, 'out of stock'),
    ]);
    const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
    return insights.findings.filter(({ kind }) => kind === 'newError');
  };
  expect(await findNewErrors(20)).toMatchObject([{ severity: 'high', requestCount: 6, userCount: 6 }]);
  expect(await findNewErrors(90)).toMatchObject([{ severity: 'medium', requestCount: 6, userCount: 6 }]);
});
