import { type Organization, type PlanId, routes } from '@throughline/contract';
import type { TestServer } from '../server.ts';
import type { Person } from './people.ts';

let organizations = 0;

/** Registers an organization with its owner, by default on the `pro` plan so that members can be added. */
export async function makeOrganization(
  server: TestServer,
  plan: PlanId = 'pro',
): Promise<{ readonly owner: Person; readonly organization: Organization }> {
  organizations += 1;
  const name = `Organization ${organizations}`;
  const body = {
    name: `Owner ${organizations}`,
    email: `owner-${organizations}-${process.pid}@test.example`,
    password: 'correct horse',
    organizationName: name,
    organizationSlug: `organization-${organizations}-${process.pid}`,
  };
  const { user, token, organization } = await server.anyone.call(routes.auth.registerOrganization, { body });
  if (organization === null) throw new Error('The registration made no organization.');
  const client = server.as(token);
  const params = { id: organization.id };
  await client.call(routes.billing.changeOrganizationPlan, { params, body: { plan } });
  return { owner: { user, email: body.email, password: body.password, token, client }, organization };
}

let joined = 0;

/** Invites a new person to an organization and registers them with the invitation. */
export async function join(
  server: TestServer,
  owner: Person,
  organization: Organization,
  role: 'admin' | 'developer' = 'developer',
): Promise<Person> {
  joined += 1;
  const email = `member-${joined}-${process.pid}@test.example`;
  const password = 'correct horse';
  const { invitation } = await owner.client.call(routes.orgs.invite, {
    params: { id: organization.id },
    body: { name: `Member ${joined}`, email, role },
  });
  const { user, token } = await server.anyone.call(routes.auth.registerInvited, {
    params: { token: readToken(invitation.link) },
    body: { name: `Member ${joined}`, email, password },
  });
  return { user, email, password, token, client: server.as(token) };
}

/** Returns the token of an invitation: the last part of the invitation's link. */
export function readToken(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}
