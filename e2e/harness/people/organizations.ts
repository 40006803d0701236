import { expect, type Page } from '@playwright/test';
import type { Account } from './people.ts';

/** An organization that was created through the API, as in {@link signUp}, without opening pages. */
export interface OwnedOrganization {
  readonly id: string;
  readonly headers: { readonly authorization: string };
}

/** Registers a user with an organization on the free trial. The page is then signed in as the owner. */
export async function foundOrganization(
  page: Page,
  owner: Account,
  name: string,
): Promise<OwnedOrganization> {
  const organizationSlug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(-60);
  const data = { ...owner, organizationName: name, organizationSlug };
  const answer = await page.request.post('/api/auth/register/organization', { data });
  expect(answer.status()).toBe(201);
  const { token, organization }: { token: string; organization: { id: string } } = await answer.json();
  await page.goto('/api/health/live');
  await page.evaluate((value) => localStorage.setItem('auth_token', value), token);
  return { id: organization.id, headers: { authorization: `Bearer ${token}` } };
}

/**
 * Registers a user with an organization on the `pro` plan, which allows more members than the free trial. The page is then signed in as the
 * owner.
 */
export async function signUpOrganization(
  page: Page,
  owner: Account,
  name: string,
): Promise<OwnedOrganization> {
  const organization = await foundOrganization(page, owner, name);
  const plan = await page.request.put(`/api/billing/${organization.id}/subscription/plan`, {
    data: { plan: 'pro' },
    headers: organization.headers,
  });
  expect(plan.status()).toBe(200);
  return organization;
}

/** Invites a user. Returns the invitation's link. */
export async function invite(
  page: Page,
  { id, headers }: OwnedOrganization,
  invited: { readonly name: string; readonly email: string },
): Promise<string> {
  const answer = await page.request.post(`/api/organizations/${id}/members`, { data: invited, headers });
  expect(answer.status()).toBe(201);
  const { invitation }: { invitation: { link: string } } = await answer.json();
  return invitation.link;
}

/** Invites a user, who then registers with the invitation. */
export async function addMember(page: Page, organization: OwnedOrganization, member: Account): Promise<void> {
  const link = await invite(page, organization, member);
  const token = link.slice(link.lastIndexOf('/') + 1);
  const answer = await page.request.post(`/api/auth/register/invitation/${token}`, { data: member });
  expect(answer.status()).toBe(201);
}
