import { routes } from '@throughline/contract';
import { makeOrganization, refusal, signUp, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { billing, userBilling } = routes;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    env: { NODE_ENV: 'production', HOST: '127.0.0.1', RATE_LIMITS: 'on', BILLING_SANDBOX: 'on' },
  });
});
afterAll(() => server.stop());

test('the time of a subscription cannot be moved in the sandbox of a production server, and the option is hidden', async () => {
  const { client } = await signUp(server);
  expect(await refusal(client.call(userBilling.jump, { body: {} }))).toMatchObject({ status: 404 });
  await client.call(userBilling.changePlan, { body: { plan: 'starter' } });
  const fails = client.call(userBilling.jump, { body: { payment: 'fails' } });
  expect(await refusal(fails)).toMatchObject({ status: 404 });
  const { subscription } = await client.call(userBilling.subscription, {});
  expect(subscription).toMatchObject({
    status: 'active',
    payment: { provider: 'sandbox', label: 'Sandbox – no card is charged', testClock: false },
  });

  const { owner, organization } = await makeOrganization(server);
  const params = { id: organization.id };
  const jump = owner.client.call(billing.jumpOrganization, { params, body: {} });
  expect(await refusal(jump)).toMatchObject({ status: 404 });
});
