import {
  ApiError,
  type Client,
  type Organization,
  ROLES,
  type Role,
  type Route,
  routes,
} from '@throughline/contract';
import {
  aTrace,
  createAccessToken,
  join,
  makeOrganization,
  makeProject,
  type Person,
  sendTraces,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * The routes that each role can use. The tests compare this table with the behaviour of the server, which has a table of its own. Every
 * route that depends on a role has a row. `solo` is a user with access only to their own data; routes of organizations have no such role.
 */
const EVERYBODY: readonly Role[] = ['solo', 'owner', 'admin', 'developer'];
const MANAGERS: readonly Role[] = ['solo', 'owner', 'admin'];
const MEMBERS: readonly Role[] = ['owner', 'admin', 'developer'];
const OWNER: readonly Role[] = ['owner'];
const SOLO: readonly Role[] = ['solo'];
const TABLE: Readonly<Record<string, readonly Role[]>> = {
  'projects.listOfOrganization': MEMBERS,
  'projects.create': MANAGERS,
  'projects.read': EVERYBODY,
  'projects.update': MANAGERS,
  'projects.stats': EVERYBODY,
  'projects.apiKey': EVERYBODY,
  'projects.regenerateApiKey': MANAGERS,
  'projects.remove': MANAGERS,
  'traces.read': EVERYBODY,
  'traces.usual': EVERYBODY,
  'traces.compare': EVERYBODY,
  'traces.standsOut': EVERYBODY,
  'traces.source': EVERYBODY,
  'traces.valueOrigin': EVERYBODY,
  'traces.part': EVERYBODY,
  'traces.step': EVERYBODY,
  'traces.findSteps': EVERYBODY,
  'traces.raw': EVERYBODY,
  'traces.byTraceId': EVERYBODY,
  'traces.remove': MANAGERS,
  'traces.removeOfProject': MANAGERS,
  'traces.eraseUser': ['solo', 'owner'],
  'errors.list': EVERYBODY,
  'errors.read': EVERYBODY,
  'errors.compare': EVERYBODY,
  'errors.throwing': EVERYBODY,
  'errors.update': EVERYBODY,
  'errors.merge': EVERYBODY,
  'errors.splitOff': EVERYBODY,
  'alerts.list': EVERYBODY,
  'alerts.create': MANAGERS,
  'alerts.update': MANAGERS,
  'alerts.remove': MANAGERS,
  'alerts.test': MANAGERS,
  'alerts.deliveries': EVERYBODY,
  'alerts.incidents': EVERYBODY,
  'savedViews.listOfProject': EVERYBODY,
  'shareLinks.create': MANAGERS,
  'shareLinks.listOfTrace': EVERYBODY,
  'shareLinks.listOfProject': EVERYBODY,
  'shareLinks.revoke': MANAGERS,
  'analytics.overview': EVERYBODY,
  'analytics.performance': EVERYBODY,
  'analytics.errors': EVERYBODY,
  'analytics.flows': EVERYBODY,
  'analytics.system': EVERYBODY,
  'analytics.users': EVERYBODY,
  'analytics.business': EVERYBODY,
  'analytics.systemAlias': EVERYBODY,
  'analytics.usersAlias': EVERYBODY,
  'analytics.businessAlias': EVERYBODY,
  'analytics.extent': EVERYBODY,
  'analytics.filters': EVERYBODY,
  'analytics.releases': EVERYBODY,
  'analytics.insights': EVERYBODY,
  'analytics.insightsSummary': EVERYBODY,
  'analytics.decideInsight': EVERYBODY,
  'analytics.funnel': EVERYBODY,
  'analytics.setFunnel': MANAGERS,
  'orgs.read': MEMBERS,
  'orgs.update': OWNER,
  'orgs.members': MEMBERS,
  'orgs.invite': OWNER,
  'orgs.setRole': OWNER,
  'orgs.removeMember': OWNER,
  'orgs.leave': MEMBERS,
  'orgs.transferOwnership': OWNER,
  'orgs.resendInvitation': OWNER,
  'orgs.revokeInvitation': OWNER,
  'audit.list': OWNER,
  'billing.organizationSubscription': OWNER,
  'billing.changeOrganizationPlan': OWNER,
  'billing.previewOrganizationPlan': OWNER,
  'billing.cancelOrganization': OWNER,
  'billing.reactivateOrganization': OWNER,
  'billing.payOrganization': OWNER,
  'billing.organizationInvoices': OWNER,
  'billing.organizationInvoicePdf': OWNER,
  'billing.organizationPortal': OWNER,
  'billing.jumpOrganization': OWNER,
  'userBilling.subscription': SOLO,
  'userBilling.changePlan': SOLO,
  'userBilling.previewPlan': SOLO,
  'userBilling.cancel': SOLO,
  'userBilling.reactivate': SOLO,
  'userBilling.pay': SOLO,
  'userBilling.invoices': SOLO,
  'userBilling.invoicePdf': SOLO,
  'userBilling.portal': SOLO,
  'userBilling.jump': SOLO,
  'account.remove': ['solo', 'owner'],
};

const deciding = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(([domain, group]) =>
  Object.entries(group)
    .filter(([, { access }]) => access.by === 'session' && 'action' in access)
    .map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
);

let server: TestServer;
let organization: Organization;
let people: Record<Role, Person>;
/** Clients with an access token of each person. */
let tokens: Record<Role, Client>;
let projects: { readonly solo: string; readonly shared: string };
let traces: { readonly solo: string; readonly shared: string };
beforeAll(async () => {
  server = await startServer();
  const made = await makeOrganization(server);
  organization = made.organization;
  const [owner, admin, developer, solo] = [
    made.owner,
    await join(server, made.owner, organization, 'admin'),
    await join(server, made.owner, organization, 'developer'),
    await signUp(server),
  ];
  people = { solo, owner, admin, developer };
  const createReader = async (person: Person) => (await createAccessToken(server, person)).client;
  tokens = {
    solo: await createReader(solo),
    owner: await createReader(owner),
    admin: await createReader(admin),
    developer: await createReader(developer),
  };
  const [own, shared] = [await makeProject(solo), await makeProject(owner)];
  projects = { solo: own.id, shared: shared.id };
  traces = { solo: await traceIn(solo, own), shared: await traceIn(owner, shared) };
});
afterAll(() => server.stop());

async function traceIn(person: Person, project: TestProject): Promise<string> {
  const flow = [{ stepId: 'x', stepName: 'x', startTime: new Date().toISOString(), duration: 1 }];
  await sendTraces(server, project.apiKey, [aTrace({ traceId: TRACE_ID, spanId: 'a'.repeat(16), flow })]);
  const list = await person.client.call(routes.traces.list, { query: { projectId: project.id } });
  return list.traces[0]?._id ?? '';
}

const TRACE_ID = 'f'.repeat(32);
/** A valid id that belongs to nothing. The tests check whether a role is allowed to make the request, not its result. */
const NOWHERE = '01a1fe03-bb50-7231-9674-6d3e7bef65b1';
const BODIES: Readonly<Record<string, unknown>> = {
  'analytics.setFunnel': { steps: 'none' },
  'alerts.create': { kind: 'none' },
  'alerts.update': { kind: 'none' },
  'shareLinks.create': {},
  'projects.create': { name: '' },
  'projects.update': { name: '' },
  'orgs.update': { name: '' },
  'orgs.invite': { email: 'no address' },
  'orgs.setRole': { role: 'owner' },
  'orgs.transferOwnership': { userId: NOWHERE },
  'billing.changeOrganizationPlan': { plan: 'solo_developer' },
  'billing.jumpOrganization': { payment: 'perhaps' },
  'userBilling.changePlan': { plan: 'pro' },
  'userBilling.jump': { payment: 'succeeds' },
};
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'userBilling.previewPlan': { plan: 'starter' },
  'traces.findSteps': { text: 'charge' },
};
const on = (route: Route): string | undefined =>
  route.access.by === 'session' && 'on' in route.access ? route.access.on : undefined;

function findTestId(route: Route, role: Role): string {
  if (on(route) === 'organization') return organization.id;
  return (on(route) === 'trace' ? traces : projects)[role === 'solo' ? 'solo' : 'shared'];
}

describe.each(deciding)('%s', (name, route) => {
  test.each(ROLES)('gives the role %s exactly the access in the table', async (role) => {
    const allowed = TABLE[name]?.includes(role);
    expect(allowed, `${name} has no row in the table`).toBeDefined();
    // Deletions are only tried with roles that must not delete. Other tests cover the allowed roles.
    const removes = route.method === 'DELETE' || name === 'projects.regenerateApiKey';
    if (removes && allowed) return;
    const refused = await findRefusal(people[role].client, name, role, route);
    const notAllowed = refused !== undefined && isRefusalOfRole(refused, route, role);
    expect(notAllowed, `${refused?.status} ${refused?.code}`).toBe(!allowed);
  });

  test.each(ROLES)(
    'gives an access token of the role %s the same access, but only if the route accepts access tokens',
    async (role) => {
      const byToken = await findRefusal(tokens[role], name, role, route);
      if (route.accessTokens !== true) {
        expect(byToken).toMatchObject({ status: 403, code: 'session_required' });
        return;
      }
      const bySession = await findRefusal(people[role].client, name, role, route);
      expect(byToken?.code).toBe(bySession?.code);
    },
  );
});

async function findRefusal(
  client: Client,
  name: string,
  role: Role,
  route: Route,
): Promise<ApiError | undefined> {
  const params = {
    id: findTestId(route, role),
    stepId: 'x',
    part: 'request.body',
    traceId: TRACE_ID,
    userId: NOWHERE,
    invitationId: NOWHERE,
    invoiceId: NOWHERE,
    linkId: NOWHERE,
    ruleId: NOWHERE,
    errorId: NOWHERE,
    mergedId: NOWHERE,
    findingId: NOWHERE,
  };
  const query = QUERIES[name];
  const body = BODIES[name];
  const input = {
    params,
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
  return client.open(route, input).then(
    () => undefined,
    (error: unknown) => {
      // Without a response, the route did not refuse anything.
      if (!(error instanceof ApiError) || error.status === 0) throw error;
      return error;
    },
  );
}

/**
 * True if the error refuses the role. A solo user must receive 404 for an organization and its traces, as if nothing existed. A member must
 * learn that their role is not sufficient.
 */
function isRefusalOfRole(error: ApiError, route: Route, role: Role): boolean {
  if (error.code === 'forbidden') return true;
  const ofAnother = on(route) === 'organization' || on(route) === 'trace';
  return role === 'solo' && ofAnother && error.code === 'not_found';
}

test('the table has a row for each route whose access depends on the role, and for no other route', () => {
  expect(deciding.length).toBeGreaterThan(20);
  expect(Object.keys(TABLE).sort()).toEqual(deciding.map(([name]) => name).sort());
});
