import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Done, Email, Organization, OrganizationName, OrganizationSlug, PersonName } from './auth.ts';
import { MEMBER_ROLES } from './roles.ts';

export const Member = z.object({
  /** The user's id. */
  id: z.uuid(),
  role: z.enum(MEMBER_ROLES),
  /** True if the user was active within the last 30 days. */
  isActive: z.boolean(),
  joinedAt: Instant,
  /** Null if the user has never signed in. */
  lastActiveAt: Instant.nullable(),
  user: z.object({ name: z.string(), email: z.string() }),
});
export type Member = z.infer<typeof Member>;

/** Roles that can be assigned. An organization has exactly one owner, so ownership is transferred instead. */
export const GivenRole = z.enum(['admin', 'developer'], { error: 'Role must be admin or developer' });

/** An invitation, as shown to members who can manage the members of the organization. */
export const Invitation = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: GivenRole,
  createdAt: Instant,
  expiresAt: Instant,
  /** Only the invited person may use this link. */
  link: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

const IdParams = z.object({ id: z.string() });
const MemberParams = z.object({ id: z.string(), userId: z.string() });
const InvitationParams = z.object({ id: z.string(), invitationId: z.string() });
const OneOrganization = z.object({ organization: Organization });
const OneInvitation = z.object({ invitation: Invitation });

export const orgRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/organizations',
    summary: 'The organization that the caller belongs to, if any',
    access: { by: 'session' },
    answer: z.object({ organizations: z.array(Organization) }),
    errors: [],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/organizations',
    summary: 'Create an organization owned by the caller',
    access: { by: 'session' },
    body: z.object({ name: OrganizationName, slug: OrganizationSlug }),
    status: 201,
    answer: OneOrganization,
    errors: ['validation_failed', 'already_member', 'slug_taken', 'cancel_subscription_first'],
  }),
  slug: defineRoute({
    method: 'GET',
    path: '/api/organizations/slugs/:slug',
    summary: 'Whether a slug is available',
    access: { by: 'anyone', limit: 'account' },
    params: z.object({ slug: OrganizationSlug }),
    answer: z.object({ slug: z.object({ name: z.string(), available: z.boolean() }) }),
    errors: ['validation_failed', 'too_many_requests'],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/organizations/:id',
    summary: 'One organization',
    access: { by: 'session', action: 'organization.read', on: 'organization' },
    params: IdParams,
    answer: OneOrganization,
    errors: ['not_found'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/organizations/:id',
    summary: "Change an organization's name and slug",
    access: { by: 'session', action: 'organization.edit', on: 'organization' },
    params: IdParams,
    body: z.object({ name: OrganizationName.optional(), slug: OrganizationSlug.optional() }),
    answer: OneOrganization,
    errors: ['validation_failed', 'forbidden', 'not_found', 'slug_taken'],
  }),
  members: defineRoute({
    method: 'GET',
    path: '/api/organizations/:id/members',
    summary: "An organization's members",
    access: { by: 'session', action: 'members.list', on: 'organization' },
    params: IdParams,
    answer: z.object({ members: z.array(Member) }),
    errors: ['not_found'],
  }),
  invite: defineRoute({
    method: 'POST',
    path: '/api/organizations/:id/members',
    summary: 'Invite a person by email to become a member',
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    params: IdParams,
    body: z.object({ name: PersonName.optional(), email: Email, role: GivenRole.default('developer') }),
    status: 201,
    answer: OneInvitation,
    errors: [
      'validation_failed',
      'forbidden',
      'not_found',
      'plan_limit',
      'already_member',
      'already_invited',
      'too_many_requests',
    ],
  }),
  setRole: defineRoute({
    method: 'PUT',
    path: '/api/organizations/:id/members/:userId',
    summary: "Change a member's role",
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    params: MemberParams,
    body: z.object({ role: GivenRole }),
    answer: z.object({ member: Member }),
    errors: ['validation_failed', 'forbidden', 'not_found', 'owner_stays'],
  }),
  removeMember: defineRoute({
    method: 'DELETE',
    path: '/api/organizations/:id/members/:userId',
    summary: "Remove a member and end the member's sessions; no traces are deleted",
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    params: MemberParams,
    answer: Done,
    errors: ['forbidden', 'not_found', 'owner_stays'],
  }),
  leave: defineRoute({
    method: 'DELETE',
    path: '/api/organizations/:id/leave',
    summary: 'Leave an organization',
    access: { by: 'session', action: 'organization.leave', on: 'organization' },
    params: IdParams,
    answer: Done,
    errors: ['not_found', 'owner_stays'],
  }),
  transferOwnership: defineRoute({
    method: 'POST',
    path: '/api/organizations/:id/owner',
    summary: 'Make another member the owner; the caller becomes an admin',
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    recentAuthentication: true,
    params: IdParams,
    body: z.object({ userId: z.string() }),
    answer: OneOrganization,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  resendInvitation: defineRoute({
    method: 'POST',
    path: '/api/organizations/:id/invitations/:invitationId/resend',
    summary: 'Send an invitation again, for another 7 days',
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    params: InvitationParams,
    answer: OneInvitation,
    errors: ['forbidden', 'not_found', 'too_many_requests'],
  }),
  revokeInvitation: defineRoute({
    method: 'DELETE',
    path: '/api/organizations/:id/invitations/:invitationId',
    summary: 'Revoke an invitation',
    access: { by: 'session', action: 'members.manage', on: 'organization' },
    params: InvitationParams,
    answer: Done,
    errors: ['forbidden', 'not_found'],
  }),
};
