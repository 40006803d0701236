import { useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';

/** Reads an invitation; sends no request for an empty token. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => api.call(routes.invitations.read, { params: { token }, signal }),
    select: (answer) => answer.invitation,
    enabled: token !== '',
    retry: false,
  });
}
