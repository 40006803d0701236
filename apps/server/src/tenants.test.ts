import { ApiError, type Client, type Route, routes } from '@throughline/contract';
import {
  aTrace,
  createAccessToken,
  logIn,
  makeProject,
  type Person,
  sendTraces,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DEMO_PASSWORD } from './features/demo/index.ts';
import { saveView } from './fixtures/saved-view.ts';
import { ALERT_RULE, type CallInput, TENANT_CALLS, type TenantIds } from './fixtures/tenant-calls.ts';

const NOWHERE = '01a1fe03-bb50-7231-9674-6d3e7bef65b1';

let server: TestServer;
let owner: Person;
let stranger: Person;
/** Clients with an access token of the owner and of the stranger. */
let tokens: { readonly owner: Client; readonly stranger: Client };
let theirs: TenantIds;

beforeAll(async () => {
  server = await startServer({ demo: true, env: { DEMO_PORT: '1' } });
  await server.app.demo.ensure();
  owner = await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
  const { id, apiKey, project } = await makeProject(owner, 'secret');
  const { organizationId } = project;
  const start = new Date().toISOString();
  const step = { stepId: 'step-1', stepName: 'charge', startTime: start, duration: 1 };
  const failed = aTrace({
    response: { statusCode: 500 },
    timing: { startTime: new Date(Date.now() - 1000).toISOString(), duration: 1 },
  });
  const failedOtherwise = { ...failed, response: { statusCode: 503 } };
  await sendTraces(server, apiKey, [aTrace({ flow: [step] }), failed, failedOtherwise]);
  const { traces } = await owner.client.call(routes.traces.list, { query: { projectId: id } });
  const [trace] = traces;
  theirs = {
    project: id,
    trace: trace?._id ?? '',
    traceId: trace?.traceId ?? '',
    step: 'step-1',
    organization: organizationId ?? '',
    ...(await listPeople(organizationId ?? '')),
    accessToken: (await createAccessToken(server, owner)).id,
    invoice: await findInvoice(organizationId ?? ''),
    shareLink: await createShareLink(trace?._id ?? ''),
    alertRule: await createAlertRule(id),
    ...(await mergeErrors(id)),
    savedView: await saveView(owner.client, id),
    receipt: await createReceipt(owner),
  };
  // The stranger also has data of their own, so that no request is refused merely because the stranger has none.
  stranger = await signUp(server);
  const own = await makeProject(stranger);
  await sendTraces(server, own.apiKey, [aTrace({ flow: [step] })]);
  tokens = {
    owner: (await createAccessToken(server, owner)).client,
    stranger: (await createAccessToken(server, stranger)).client,
  };
});
afterAll(() => server.stop());

/** Creates a receipt by deleting an empty project. */
async function createReceipt(person: Person): Promise<string> {
  const { id } = await makeProject(person, 'short-lived');
  const { receipt } = await person.client.call(routes.projects.remove, { params: { id } });
  return receipt.id;
}

async function mergeErrors(id: string) {
  const { errors } = await owner.client.call(routes.errors.list, { params: { id }, query: {} });
  const [error = '', mergedError = ''] = errors.map((one) => one.id);
  const body = { errorIds: [mergedError] };
  await owner.client.call(routes.errors.merge, { params: { id, errorId: error }, body });
  return { error, mergedError };
}

async function createAlertRule(id: string): Promise<string> {
  const { rule } = await owner.client.call(routes.alerts.create, { params: { id }, body: ALERT_RULE });
  return rule.id;
}

async function createShareLink(id: string): Promise<string> {
  const { shareLink } = await owner.client.call(routes.shareLinks.create, { params: { id }, body: {} });
  return shareLink.id;
}

/**
 * Changes the demo workspace, which is on the largest plan, to yearly billing, so that the sandbox creates an invoice. Returns the
 * invoice's id.
 */
async function findInvoice(organization: string): Promise<string> {
  const params = { id: organization };
  await owner.client.call(routes.billing.changeOrganizationPlan, {
    params,
    body: { plan: 'enterprise_plus', billingCycle: 'yearly' },
  });
  const { invoices } = await owner.client.call(routes.billing.organizationInvoices, { params });
  return invoices[0]?.id ?? '';
}

async function listPeople(organization: string) {
  const params = { id: organization };
  const { members } = await owner.client.call(routes.orgs.members, { params });
  const others = members.filter((member) => member.role !== 'owner');
  const { invitation } = await owner.client.call(routes.orgs.invite, {
    params,
    body: { email: 'invited@test.example' },
  });
  await logIn(server, 'owner@demo.example', DEMO_PASSWORD);
  const { sessions } = await owner.client.call(routes.account.sessions, {});
  return {
    member: others[0]?.id ?? '',
    otherMember: others[1]?.id ?? '',
    invitation: invitation.id,
    session: sessions.find((session) => !session.current)?.id ?? '',
  };
}

const named = (name: string): Route => {
  const [domain = '', call = ''] = name.split('.');
  const group: Readonly<Record<string, Readonly<Record<string, Route>>>> = routes;
  const route = group[domain]?.[call];
  if (route === undefined) throw new Error(`there is no call ${name}`);
  return route;
};

/** Returns the status and the error of a request, without those parts of the error that differ between requests. */
async function outcome(client: Client, route: Route, input: CallInput) {
  const stop = new AbortController();
  try {
    const answer = await client.open(route, { ...input, signal: stop.signal });
    return { status: answer.status, code: undefined, message: undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, code: error.code, message: error.message };
  } finally {
    stop.abort();
  }
}

describe('a route', () => {
  test.each(TENANT_CALLS)(
    '($name) responds to the ids of another tenant as to unknown ids',
    async ({ name, input, status = 404, own: answer }) => {
      const route = named(name);
      const strangers = await outcome(stranger.client, route, input(theirs));
      expect(strangers.status).toBe(status);
      const missing = {
        ...theirs,
        project: NOWHERE,
        trace: NOWHERE,
        traceId: 'f'.repeat(32),
        organization: NOWHERE,
        receipt: NOWHERE,
        shareLink: NOWHERE,
        alertRule: NOWHERE,
        savedView: NOWHERE,
      };
      expect(await outcome(stranger.client, route, input(missing))).toEqual(strangers);
      const nonsense = { ...theirs, project: "' or 1=1", trace: 'x', traceId: "'", organization: '%00' };
      expect(await outcome(stranger.client, route, input(nonsense))).toMatchObject({ status });
      // The server must not refuse the same request to the owner. This shows that the refusal depends on who owns the data.
      const own = await outcome(owner.client, route, input(theirs));
      expect(own.code).not.toBe('not_found');
      // 409 is allowed: an owner cannot leave the organization, and an account that has paid needs no payment.
      expect(answer === undefined ? [200, 201, 409, 503] : [answer]).toContain(own.status);
    },
  );

  test.each(TENANT_CALLS.filter(({ name }) => named(name).accessTokens === true))(
    '($name) responds to an access token as to a session of its user',
    async ({ name, input, status = 404 }) => {
      const route = named(name);
      const bySession = await outcome(stranger.client, route, input(theirs));
      expect(bySession.status).toBe(status);
      expect(await outcome(tokens.stranger, route, input(theirs))).toEqual(bySession);
      const own = await outcome(owner.client, route, input(theirs));
      expect(await outcome(tokens.owner, route, input(theirs))).toEqual(own);
    },
  );

  test.each(TENANT_CALLS.filter(({ name }) => named(name).accessTokens !== true))(
    "($name) does not accept an access token, not even the owner's",
    async ({ name, input }) => {
      expect(await outcome(tokens.owner, named(name), input(theirs))).toMatchObject({
        status: 403,
        code: 'session_required',
      });
    },
  );

  test.each(TENANT_CALLS)('($name) requires a session', async ({ name, input }) => {
    expect(await outcome(server.anyone, named(name), input(theirs))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });
});

test('the table of these tests contains every route with an id', () => {
  const naming = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(([domain, group]) =>
    Object.entries(group)
      .filter(([, route]) => route.access.by === 'session' && namesAThing(route))
      .map(([call]) => `${domain}.${call}`),
  );
  expect(naming.length).toBeGreaterThan(10);
  expect(TENANT_CALLS.map((call) => call.name).sort()).toEqual(naming.sort());
});

function namesAThing(route: Route): boolean {
  const fields = [route.query, route.body].flatMap((schema) =>
    schema === undefined
      ? []
      : Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  );
  return route.params !== undefined || fields.some((field) => /Id$/.test(field));
}
