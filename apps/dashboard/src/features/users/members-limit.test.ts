import { ApiError, TEXTS } from '@throughline/contract';
import { expect, it } from 'vitest';
import { describeUpgrade, FREE_PLAN_LIMIT, findMembersLimit } from './members-limit.ts';

const refuse = (details: ConstructorParameters<typeof ApiError>[0]['details'], message: string) =>
  new ApiError({ status: 403, code: 'plan_limit', message, requestId: 'id-1', ...(details && { details }) });

it('if a plan allows no further members, the message and the offered plan come from the response of the server', () => {
  const message = 'Pro includes 15 members, and 15 are used. Upgrade to Enterprise Basic for 25 members.';
  const limit = findMembersLimit(refuse({ upgradeRequired: true, upgradeTo: 'enterprise_basic' }, message));
  expect(limit).toEqual({ message, upgradeTo: 'enterprise_basic' });
  expect(limit && describeUpgrade(limit)).toMatch(
    /^Enterprise Basic includes 25 team members, unlimited projects and .* traces per month, for \$\d+ per month\.$/,
  );
});

it('if the member limit of the largest plan is reached, no upgrade is offered', () => {
  const limit = findMembersLimit(refuse({ upgradeRequired: true }, 'Full.'));
  expect(limit).toEqual({ message: 'Full.', upgradeTo: null });
  expect(limit && describeUpgrade(limit)).toBeUndefined();
});

it('on the free plan, the offered upgrade is the smallest plan that includes several members', () => {
  expect(FREE_PLAN_LIMIT.message).toBe(TEXTS.freePlanMembers);
  expect(describeUpgrade(FREE_PLAN_LIMIT)).toMatch(/^Pro includes 15 team members, /);
});

it('an error without a required upgrade is not shown as a reached member limit', () => {
  expect(findMembersLimit(refuse(undefined, 'Not yours.'))).toBeUndefined();
  expect(findMembersLimit(new Error('offline'))).toBeUndefined();
});
