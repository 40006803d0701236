import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isPaidFor, type Organization, routes } from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const keys = {
  sessions: ['account', 'sessions'],
  twoFactor: ['account', 'two-factor'],
  subscription: ['account', 'subscription'],
} as const;

export function useSessions() {
  return useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => api.call(routes.account.sessions, { signal }),
    select: (answer) => answer.sessions,
  });
}

/**
 * True if a paid subscription continues, which must be cancelled before the account can be deleted. Undefined until it is known; if it cannot
 * be found out, the server decides at the deletion.
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
    /** Undefined: all but this one. */
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? api.call(routes.account.endOtherSessions, {})
        : api.call(routes.account.endSession, { params: { id } }),
    onSettled: () => void client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export function useUpdateProfile() {
  return useAction({
    mutationFn: (body: { readonly name: string; readonly email: string }) =>
      api.call(routes.account.updateProfile, { body }),
    // The sidebar shows who is signed in.
    onSuccess: () => void session.check(),
  });
}

/** Mails the link that confirms an address again. Where none waits any more, the session says so. */
export function useResendEmailLink() {
  return useAction({
    mutationFn: () => api.call(routes.account.resendEmailLink, {}),
    onError: () => void session.check(),
  });
}

export function useCancelEmailChange() {
  return useAction({
    mutationFn: () => api.call(routes.account.cancelEmailChange, {}),
    onSuccess: () => void session.check(),
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (body: { readonly currentPassword: string; readonly newPassword: string }) =>
      api.call(routes.account.changePassword, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.sessions }),
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
  return useAction({ mutationFn: () => api.call(routes.twoFactor.setup, {}) });
}

export function useVerifyTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    mutationFn: (code: string) => api.call(routes.twoFactor.verify, { body: { code } }),
    onSuccess: refresh,
  });
}

export function useDisableTwoFactor() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    mutationFn: (body: { readonly code: string; readonly backupCode: string }) =>
      api.call(routes.twoFactor.disable, { body }),
    onSuccess: refresh,
  });
}

export function useRegenerateBackupCodes() {
  const refresh = useRefreshTwoFactor();
  return useAction({
    mutationFn: () => api.call(routes.twoFactor.regenerateBackupCodes, {}),
    onSuccess: refresh,
  });
}

/** After it one sees other projects, and the menu has other entries. */
function useRefreshAll() {
  const client = useQueryClient();
  return () => {
    void session.check();
    void client.invalidateQueries();
  };
}

/** Renames the organization with that id; without one, makes a new one. */
export function useNameOrganization(id: string | undefined) {
  return useAction({
    mutationFn: (body: { readonly name: string; readonly slug: string }) =>
      id === undefined
        ? api.call(routes.orgs.create, { body })
        : api.call(routes.orgs.update, { params: { id }, body }),
    onSuccess: useRefreshAll(),
  });
}

export function useLeaveOrganization() {
  return useAction({
    mutationFn: (id: string) => api.call(routes.orgs.leave, { params: { id } }),
    onSuccess: useRefreshAll(),
  });
}

export function useDeleteAccount() {
  return useAction({ mutationFn: () => api.call(routes.account.remove, {}) });
}
