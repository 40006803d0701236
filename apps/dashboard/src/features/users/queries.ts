import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type QueryOf, routes } from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { buildRefusalText } from '../../shell/session/refusal.ts';
import { useAction } from '../../shell/use-action.ts';

const keys = {
  members: (id: string) => ['organizations', id, 'members'],
  pending: (id: string) => ['organizations', id, 'invitations'],
  audit: (id: string) => ['organizations', id, 'audit'],
} as const;

export function useMembers(organizationId: string) {
  return useQuery({
    queryKey: keys.members(organizationId),
    queryFn: ({ signal }) => api.call(routes.orgs.members, { params: { id: organizationId }, signal }),
    select: (answer) => answer.members,
  });
}

export function usePendingInvitations(organizationId: string) {
  return useQuery({
    queryKey: keys.pending(organizationId),
    queryFn: ({ signal }) => api.call(routes.invitations.pending, { params: { of: organizationId }, signal }),
    select: (answer) => answer.invitations,
  });
}

/** Fetches one page of the audit log. Shows the previous page until the next one is loaded. */
export function useAuditPage(
  organizationId: string,
  listing: QueryOf<typeof routes.audit.list>,
  cursor: string | undefined,
) {
  return useQuery({
    queryKey: [...keys.audit(organizationId), listing, cursor ?? ''],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.call(routes.audit.list, {
        params: { id: organizationId },
        query: cursor === undefined ? listing : { ...listing, cursor },
        signal,
      }),
  });
}

/** Returns a function that fetches the organization's members and invitations again, and the session with its member counts. */
function useRefresh(organizationId: string) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['organizations', organizationId] });
    void session.check();
  };
}

const CREATION_FAILED = 'Error creating user. Please try again.';

export function useInvite(organizationId: string) {
  return useAction({
    failure: buildRefusalText('Failed to create user', {
      wordless: CREATION_FAILED,
      unreachable: CREATION_FAILED,
    }),
    mutationFn: (body: {
      readonly name: string;
      readonly email: string;
      readonly role: 'admin' | 'developer';
    }) => api.call(routes.orgs.invite, { params: { id: organizationId }, body }),
    onSettled: useRefresh(organizationId),
  });
}

export function useResendInvitation(organizationId: string) {
  return useAction({
    failure: 'The invitation could not be sent again.',
    mutationFn: (invitationId: string) =>
      api.call(routes.orgs.resendInvitation, { params: { id: organizationId, invitationId } }),
    onSettled: useRefresh(organizationId),
  });
}

export function useRevokeInvitation(organizationId: string) {
  return useAction({
    failure: 'The invitation could not be revoked.',
    mutationFn: (invitationId: string) =>
      api.call(routes.orgs.revokeInvitation, { params: { id: organizationId, invitationId } }),
    onSettled: useRefresh(organizationId),
  });
}

interface RoleChange {
  readonly userId: string;
  readonly role: 'admin' | 'developer';
}

export function useSetRole(organizationId: string) {
  return useAction({
    failure: 'The role could not be changed.',
    mutationFn: ({ userId, role }: RoleChange) =>
      api.call(routes.orgs.setRole, { params: { id: organizationId, userId }, body: { role } }),
    onSettled: useRefresh(organizationId),
  });
}

export function useRemoveMember(organizationId: string) {
  return useAction({
    failure: buildRefusalText('Failed to delete user', { wordless: 'Failed to delete user: Unknown error' }),
    mutationFn: (userId: string) =>
      api.call(routes.orgs.removeMember, { params: { id: organizationId, userId } }),
    onSettled: useRefresh(organizationId),
  });
}

export function useTransferOwnership(organizationId: string) {
  return useAction({
    failure: 'The ownership could not be transferred.',
    mutationFn: (userId: string) =>
      api.call(routes.orgs.transferOwnership, { params: { id: organizationId }, body: { userId } }),
    onSettled: useRefresh(organizationId),
  });
}
