import { routes } from '@throughline/contract';
import { createFakeClock, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const file = serverOfFile({ clock });

const request = (hoursAgo: number, message?: string) => ({
  request: { method: 'GET', path: '/orders', route: '/orders' },
  timing: { startTime: new Date(clock.now().getTime() - hoursAgo * HOUR_MS).toISOString(), duration: 10 },
  ...(message !== undefined && { error: { hasError: true, errorMessage: message } }),
});
const times = (count: number, hoursAgo: number, message?: string) =>
  Array.from({ length: count }, (_, at) => request(hoursAgo + at / 1000, message));

test.runIf(isThorough())(
  'an error merged into a known error is not reported as new, and two merged new errors are reported once',
  async () => {
    const { owner } = await makeOrganization(file.server, 'enterprise_plus');
    const { id, apiKey } = await makeProject(owner);
    await sendTraces(file.server, apiKey, [
      ...times(100, 240),
      ...times(2, 240, 'known'),
      ...times(4, 1, 'known in other words'),
      ...times(6, 1, 'fresh'),
      ...times(4, 1, 'fresh in other words'),
    ]);
    const params = { id };
    const listNew = async () => {
      const { insights } = await owner.client.call(routes.analytics.insights, { params });
      return insights.findings.flatMap((finding) =>
        finding.kind === 'newError' ? [finding.evidence.message] : [],
      );
    };
    expect((await listNew()).toSorted()).toEqual(['fresh', 'fresh in other words', 'known in other words']);
    const query = { days: '30', state: 'all' } as const;
    const { errors } = await owner.client.call(routes.errors.list, { params, query });
    const find = (message: string) => errors.find((error) => error.message === message)?.id ?? '';
    const merge = (target: string, other: string) =>
      owner.client.call(routes.errors.merge, {
        params: { id, errorId: find(target) },
        body: { errorIds: [find(other)] },
      });
    await merge('known', 'known in other words');
    await merge('fresh', 'fresh in other words');
    expect(await listNew()).toEqual(['fresh']);
  },
);
