import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DigestChoice, isPaidFor, type Organization, routes, TEXTS } from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { buildRefusalText, preferReason } from '../../shell/session/refusal.ts';
import { useAction } from '../../shell/use-action.ts';
import { ACCESS_TOKENS_KEY } from './access-tokens/queries.ts';

const keys = {
  sessions: ['account', 'sessions'],
  twoFactor: ['account', 'two-factor'],
  subscription: ['account', 'subscription'],
  digest: ['account', 'digest'],
} as const;

export function useSessions() {
  return useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => api.call(routes.account.sessions, { signal }),
    select: (answer) => answer.sessions,
  });
}

export function useDigestChoice() {
  return useQuery({
    queryKey: keys.digest,
    queryFn: ({ signal }) => api.call(routes.digest.read, { signal }),
    select: (answer) => answer.digest,
  });
}

/** Turns the weekly digest on or off. */
export function useChooseDigest() {
  const client = useQueryClient();
  return useAction({
    failure: 'The weekly digest could not be changed.',
    mutationFn: (on: boolean) => api.call(routes.digest.update, { body: { on } }),
    onSuccess: (answer: { readonly digest: DigestChoice }) => client.setQueryData(keys.digest, answer),
  });
}

/**
 * Returns true if an active paid subscription must be cancelled before the account can be deleted, and undefined until the subscription is
 * loaded. Returns false if loading fails: the server then checks the subscription during the deletion.
 */
export function useIsPaidFor(organization: Organization | null) {
  const { data, isError } = useQuery({
    queryKey: keys.subscription,
    queryFn: ({ signal }) =>
      organization === null
        ? api.call(routes.userBilling.subscription, { signal })
        : api.call(routes.billing.organizationSubscription, { params: { id: organization.id }, signal }),
    select: (answer) => answer.subscription,
    staleTime: 0,
  });
  if (data === undefined) return isError ? false : undefined;
  return isPaidFor(data);
}

export function useEndSession() {
  const client = useQueryClient();
  return useAction({
    failure: 'The session could not be ended.',
    /** Ends the session with this id or, if `id` is undefined, all sessions except the current session. */
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? api.call(routes.account.endOtherSessions, {})
        : api.call(routes.account.endSession, { params: { id } }),
    onSettled: () => void client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export function useUpdateProfile() {
  return useAction({
    failure: buildRefusalText('Failed to update profile', { wordless: 'Failed to update profile' }),
    mutationFn: (body: { readonly name: string; readonly email: string }) =>
      api.call(routes.account.updateProfile, { body }),
    // The sidebar shows the user's name, so refresh the session.
    onSuccess: () => void session.check(),
  });
}

/** Sends the confirmation email again. An error can mean that no address awaits confirmation any more, so refresh the session. */
export function useResendEmailLink() {
  return useAction({
    failure: 'The link could not be sent.',
    mutationFn: () => api.call(routes.account.resendEmailLink, {}),
    onError: () => void session.check(),
  });
}

export function useCancelEmailChange() {
  return useAction({
    failure: 'The change could not be cancelled.',
    mutationFn: () => api.call(routes.account.cancelEmailChange, {}),
    onSuccess: () => void session.check(),
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useAction({
    failure: buildRefusalText('Failed to update password', { wordless: 'Failed to update password' }),
    mutationFn: (body: { readonly currentPassword: string; readonly newPassword: string }) =>
      api.call(routes.account.changePassword, { body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.sessions });
      void client.invalidateQueries({ queryKey: ACCESS_TOKENS_KEY });
    },
  });
}

export function useTwoFactorStatus() {
  return useQuery({
    queryKey: keys.twoFactor,
    queryFn: ({ signal }) => api.call(routes.twoFactor.status, { signal }),
  });
}

function useRefreshTwoFactor() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: keys.twoFactor });
}

export function useSetUpTwoFactor() {
  return useAction({
    failure: buildRefusalText('Failed to setup 2FA', { wordless: 'Failed to setup 2FA' }),
    mutationFn: () => api.call(routes.twoFactor.setup, {}),
  });
}

export function useVerifyTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    failure: (error) => preferReason(error, { wordless: TEXTS.codeInvalid }),
    mutationFn: (code: string) => api.call(routes.twoFactor.verify, { body: { code } }),
    onSuccess: refresh,
  });
}

export function useDisableTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    failure: (error) => preferReason(error, { wordless: TEXTS.codeOrBackupInvalid }),
    mutationFn: (body: { readonly code: string; readonly backupCode: string }) =>
      api.call(routes.twoFactor.disable, { body }),
    onSuccess: refresh,
  });
}

export function useRegenerateBackupCodes() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    failure: buildRefusalText('Failed to regenerate backup codes', {
      wordless: 'Failed to regenerate backup codes',
    }),
    mutationFn: () => api.call(routes.twoFactor.regenerateBackupCodes, {}),
    onSuccess: refresh,
  });
}

/** Refreshes everything: another organization means other projects and other menu entries. */
function useRefreshAll() {
  const client = useQueryClient();
  return () => {
    void session.check();
    void client.invalidateQueries();
  };
}

/** Renames the organization with the given id, or creates an organization if `id` is undefined. */
export function useNameOrganization(id: string | undefined) {
  return useAction({
    failure: 'The organization could not be saved.',
    mutationFn: (body: { readonly name: string; readonly slug: string }) =>
      id === undefined
        ? api.call(routes.orgs.create, { body })
        : api.call(routes.orgs.update, { params: { id }, body }),
    onSuccess: useRefreshAll(),
  });
}

export function useLeaveOrganization() {
  return useAction({
    failure: 'The organization could not be left.',
    mutationFn: (id: string) => api.call(routes.orgs.leave, { params: { id } }),
    onSuccess: useRefreshAll(),
  });
}

export function useDeleteAccount() {
  return useAction({
    failure: (error) => preferReason(error, { wordless: 'Failed to delete account' }),
    mutationFn: () => api.call(routes.account.remove, {}),
  });
}
