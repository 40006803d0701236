import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { SignedIn, TokenParams } from './auth.ts';
import { GivenRole, Invitation } from './orgs.ts';

/** The part of an invitation that anyone who has the invitation's link can see. */
export const InvitationOffer = z.object({
  organizationName: z.string(),
  /** Name of the user who sent the invitation; null if their account was deleted. */
  inviterName: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  role: GivenRole,
  expiresAt: Instant,
});
export type InvitationOffer = z.infer<typeof InvitationOffer>;

/**
 * A pending invitation with the name of its organization. `link` is null in the invited person's list of invitations. Only members who
 * manage the organization receive the link, so that they can pass the link on.
 */
const PendingInvitation = Invitation.extend({ organizationName: z.string(), link: z.string().nullable() });
export type PendingInvitation = z.infer<typeof PendingInvitation>;

export const invitationRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/auth/invitations/:token',
    summary: 'Details of an invitation',
    access: { by: 'anyone', limit: 'account' },
    params: TokenParams,
    answer: z.object({ invitation: InvitationOffer }),
    errors: ['invitation_invalid', 'too_many_requests'],
  }),
  pending: defineRoute({
    method: 'GET',
    path: '/api/auth/invitations/pending/:of',
    summary:
      "Pending invitations to the caller's email address, or, with an id, from the caller's organization",
    access: { by: 'session' },
    params: z.object({ of: z.string() }),
    answer: z.object({ invitations: z.array(PendingInvitation) }),
    errors: ['not_found'],
  }),
  accept: defineRoute({
    method: 'POST',
    path: '/api/auth/invitation/accept/:token',
    summary: 'Accept an invitation while logged in as the invited person',
    access: { by: 'anyone', limit: 'account' },
    params: TokenParams,
    answer: SignedIn,
    errors: [
      'unauthenticated',
      'wrong_account',
      'invitation_invalid',
      'registration_required',
      'already_member',
      'cancel_subscription_first',
      'plan_limit',
      'too_many_requests',
    ],
  }),
};
