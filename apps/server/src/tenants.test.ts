import { ApiError, type Client, type Route, routes } from '@throughline/contract';
import {
  aTrace,
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
import { buildView, saveView } from './fixtures/saved-view.ts';

/** The ids of one tenant's data, as used in requests. */
interface Ids {
  readonly project: string;
  readonly trace: string;
  readonly traceId: string;
  readonly step: string;
  readonly organization: string;
  /** Two members of the organization who are not its owner. */
  readonly member: string;
  readonly otherMember: string;
  readonly invitation: string;
  readonly session: string;
  readonly invoice: string;
  /** An error of the project, and one that was merged into it. */
  readonly error: string;
  readonly mergedError: string;
  /** A link to the trace. */
  readonly shareLink: string;
  readonly alertRule: string;
  /** A shared view of the project. */
  readonly savedView: string;
  /** The receipt of a deletion of traces. */
  readonly receipt: string;
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Every route that takes an id, and how to request it with another tenant's ids. Routes that delete come last. */
const CALLS: readonly {
  readonly name: string;
  readonly input: (ids: Ids) => Input;
  readonly status?: number;
  /** The status for the owner, if the request also fails for the owner. */
  readonly own?: number;
}[] = [
  { name: 'projects.read', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'projects.listOfOrganization', input: ({ organization }) => ({ params: { id: organization } }) },
  {
    name: 'projects.create',
    input: ({ organization }) => ({ body: { name: 'x', organizationId: organization } }),
  },
  {
    name: 'projects.update',
    input: ({ project }) => ({ params: { id: project }, body: { name: 'renamed' } }),
  },
  // A request for stats must not reveal that a project exists.
  { name: 'projects.stats', input: ({ project }) => ({ params: { id: project } }), status: 403 },
  { name: 'projects.apiKey', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'projects.regenerateApiKey', input: ({ project }) => ({ params: { id: project }, body: {} }) },
  { name: 'traces.list', input: ({ project }) => ({ query: { projectId: project } }) },
  { name: 'traces.export', input: ({ project }) => ({ query: { projectId: project } }) },
  { name: 'traces.facets', input: ({ project }) => ({ query: { projectId: project } }) },
  {
    name: 'traces.differences',
    input: ({ project }) => ({ query: { projectId: project, status: 'error' } }),
  },
  { name: 'traces.figures', input: ({ project }) => ({ query: { projectId: project } }) },
  {
    name: 'traces.groups',
    input: ({ project }) => ({ query: { projectId: project, groupBy: 'endpoint' } }),
  },
  { name: 'traces.stream', input: ({ project }) => ({ query: { projectId: project } }) },
  { name: 'traces.read', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'traces.usual', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'traces.compare', input: ({ trace }) => ({ params: { id: trace }, query: { with: 'good' } }) },
  { name: 'traces.standsOut', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'traces.source', input: ({ trace }) => ({ params: { id: trace }, query: { file: 'src/pay.ts' } }) },
  {
    name: 'traces.valueOrigin',
    input: ({ trace }) => ({ params: { id: trace }, query: { place: 'request.path' } }),
  },
  { name: 'traces.part', input: ({ trace }) => ({ params: { id: trace, part: 'request.body' } }) },
  { name: 'traces.step', input: ({ trace, step }) => ({ params: { id: trace, stepId: step } }) },
  { name: 'traces.findSteps', input: ({ trace }) => ({ params: { id: trace }, query: { text: 'charge' } }) },
  { name: 'traces.raw', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'traces.byTraceId', input: ({ traceId }) => ({ params: { traceId } }) },
  ...Object.keys(routes.analytics).map((call) => ({
    name: `analytics.${call}`,
    input: ({ project }: Ids) => ({
      params: { id: project, ...(call === 'decideInsight' && { findingId: '0123456789abcdef' }) },
      ...(call === 'setFunnel' && { body: { steps: [] } }),
      ...(call === 'decideInsight' && { body: { state: 'dismissed' } }),
    }),
  })),
  { name: 'demo.traffic', input: ({ project }) => ({ body: { projectId: project } }) },
  { name: 'deletions.read', input: ({ receipt }) => ({ params: { id: receipt } }) },
  { name: 'errors.list', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'errors.read', input: ({ project, error }) => ({ params: { id: project, errorId: error } }) },
  { name: 'errors.throwing', input: ({ project, error }) => ({ params: { id: project, errorId: error } }) },
  {
    name: 'errors.update',
    input: ({ project, error, member }) => ({
      params: { id: project, errorId: error },
      body: { state: 'resolved', assignee: member },
    }),
  },
  {
    name: 'errors.merge',
    input: ({ project, error, mergedError }) => ({
      params: { id: project, errorId: error },
      body: { errorIds: [mergedError] },
    }),
  },
  {
    name: 'errors.splitOff',
    input: (ids) => ({ params: { id: ids.project, errorId: ids.error, mergedId: ids.mergedError } }),
  },
  { name: 'alerts.list', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'alerts.deliveries', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'alerts.create', input: ({ project }) => ({ params: { id: project }, body: ALERT_RULE }) },
  ...['update', 'test', 'remove'].map((call) => ({
    name: `alerts.${call}`,
    input: ({ project, alertRule }: Ids) => ({
      params: { id: project, ruleId: alertRule },
      body: ALERT_RULE,
    }),
  })),
  { name: 'savedViews.listOfProject', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'savedViews.create', input: ({ project }) => ({ body: buildView(project) }) },
  ...['update', 'pin', 'unpin', 'remove'].map((call) => ({
    name: `savedViews.${call}`,
    input: ({ savedView }: Ids) => ({ params: { id: savedView }, body: { name: 'renamed' } }),
  })),
  { name: 'shareLinks.create', input: ({ trace }) => ({ params: { id: trace }, body: {} }) },
  { name: 'shareLinks.listOfTrace', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'shareLinks.listOfProject', input: ({ project }) => ({ params: { id: project } }) },
  {
    name: 'shareLinks.revoke',
    input: ({ project, shareLink }) => ({ params: { id: project, linkId: shareLink } }),
  },
  { name: 'traces.remove', input: ({ trace }) => ({ params: { id: trace } }) },
  { name: 'traces.eraseUser', input: ({ project }) => ({ params: { id: project, userId: 'u-1' } }) },
  { name: 'traces.removeOfProject', input: ({ project }) => ({ params: { id: project } }) },
  { name: 'orgs.read', input: ({ organization }) => ({ params: { id: organization } }) },
  {
    name: 'orgs.update',
    input: ({ organization }) => ({ params: { id: organization }, body: { name: 'x' } }),
  },
  { name: 'orgs.members', input: ({ organization }) => ({ params: { id: organization } }) },
  {
    name: 'orgs.invite',
    input: ({ organization }) => ({ params: { id: organization }, body: { email: 'one@more.example' } }),
  },
  {
    name: 'orgs.setRole',
    input: ({ organization, member }) => ({
      params: { id: organization, userId: member },
      body: { role: 'developer' },
    }),
  },
  {
    name: 'orgs.resendInvitation',
    input: ({ organization, invitation }) => ({ params: { id: organization, invitationId: invitation } }),
  },
  { name: 'invitations.pending', input: ({ organization }) => ({ params: { of: organization } }) },
  { name: 'audit.list', input: ({ organization }) => ({ params: { id: organization } }) },
  {
    name: 'billing.changeOrganizationPlan',
    input: ({ organization }) => ({ params: { id: organization }, body: { plan: 'enterprise_plus' } }),
  },
  ...[
    'organizationSubscription',
    'previewOrganizationPlan',
    'cancelOrganization',
    'reactivateOrganization',
    'payOrganization',
    'organizationInvoices',
    'organizationPortal',
  ].map((call) => ({
    name: `billing.${call}`,
    input: ({ organization }: Ids) => ({ params: { id: organization }, query: { plan: 'enterprise_plus' } }),
  })),
  {
    name: 'billing.organizationInvoicePdf',
    input: ({ organization, invoice }) => ({ params: { id: organization, invoiceId: invoice } }),
  },
  // Routes of solo users. An owner uses the organization's plan.
  {
    name: 'userBilling.invoicePdf',
    input: ({ invoice }) => ({ params: { invoiceId: invoice } }),
    own: 403,
  },
  {
    name: 'billing.jumpOrganization',
    input: ({ organization }) => ({ params: { id: organization }, body: { payment: 'succeeds' } }),
  },
  {
    name: 'orgs.revokeInvitation',
    input: ({ organization, invitation }) => ({ params: { id: organization, invitationId: invitation } }),
  },
  { name: 'account.endSession', input: ({ session }) => ({ params: { id: session } }) },
  { name: 'orgs.leave', input: ({ organization }) => ({ params: { id: organization } }) },
  {
    name: 'orgs.removeMember',
    input: ({ organization, otherMember }) => ({ params: { id: organization, userId: otherMember } }),
  },
  { name: 'projects.remove', input: ({ project }) => ({ params: { id: project } }) },
  {
    name: 'orgs.handOver',
    input: ({ organization, member }) => ({ params: { id: organization }, body: { userId: member } }),
  },
];

const ALERT_RULE = { kind: 'new_error' as const, webhookUrl: 'https://alerts.invalid/hook' };
const NOWHERE = '01a1fe03-bb50-7231-9674-6d3e7bef65b1';

let server: TestServer;
let owner: Person;
let stranger: Person;
let theirs: Ids;

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
    invoice: await findInvoice(organizationId ?? ''),
    shareLink: await createShareLink(trace?._id ?? ''),
    alertRule: await createAlertRule(id),
    ...(await mergeErrors(id)),
    savedView: await saveView(owner.client, id),
    receipt: await createReceipt(owner),
  };
  // The stranger also has data, so that requests are not refused merely because the stranger has none.
  stranger = await signUp(server);
  const own = await makeProject(stranger);
  await sendTraces(server, own.apiKey, [aTrace({ flow: [step] })]);
});
afterAll(() => server.stop());

/** The deletion of an empty project has a receipt, too. */
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

/** The demo workspace is on the largest plan, for which the sandbox charges a year. */
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

/** Returns the status of a request and the error, without the parts that differ between requests. */
async function outcome(client: Client, route: Route, input: Input) {
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
  test.each(CALLS)(
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
      // The same request must not be refused to the owner, which shows that the refusal depends on who owns the data.
      const own = await outcome(owner.client, route, input(theirs));
      expect(own.code).not.toBe('not_found');
      // 409 is allowed because an owner cannot leave, and a paid account needs no payment.
      expect(answer === undefined ? [200, 201, 409, 503] : [answer]).toContain(own.status);
    },
  );

  test.each(CALLS)('($name) requires a session', async ({ name, input }) => {
    expect(await outcome(server.anyone, named(name), input(theirs))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });
});

test('every route with an id is in the table', () => {
  const naming = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(([domain, group]) =>
    Object.entries(group)
      .filter(([, route]) => route.access.by === 'session' && namesAThing(route))
      .map(([call]) => `${domain}.${call}`),
  );
  expect(naming.length).toBeGreaterThan(10);
  expect(CALLS.map((call) => call.name).sort()).toEqual(naming.sort());
});

function namesAThing(route: Route): boolean {
  const fields = [route.query, route.body].flatMap((schema) =>
    schema === undefined
      ? []
      : Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  );
  return route.params !== undefined || fields.some((field) => /Id$/.test(field));
}
