import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AccessToken, type BodyOf, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';

/** Query key of the user's access tokens. The list is also fetched again after a change of the password, which revokes all tokens. */
export const ACCESS_TOKENS_KEY = ['account', 'access-tokens'] as const;

export function useAccessTokens() {
  return useQuery({
    queryKey: ACCESS_TOKENS_KEY,
    queryFn: ({ signal }) => api.call(routes.accessTokens.list, { signal }),
    select: (answer) => answer.accessTokens,
  });
}

function useRefreshTokens() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ACCESS_TOKENS_KEY });
}

export function useCreateToken() {
  return useAction({
    failure: 'The access token could not be created.',
    mutationFn: (body: BodyOf<typeof routes.accessTokens.create>) =>
      api.call(routes.accessTokens.create, { body }),
    onSettled: useRefreshTokens(),
  });
}

export function useRevokeToken({ id }: AccessToken) {
  return useAction({
    failure: 'The access token could not be revoked.',
    mutationFn: () => api.call(routes.accessTokens.revoke, { params: { id } }),
    onSettled: useRefreshTokens(),
  });
}
