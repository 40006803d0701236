import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { FormError, type FormProblem } from '../../ui/feedback/form-error.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { failureText } from './failure-text.ts';

interface InvitationFailureProps {
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

/** Says why an invitation is not shown: the server refused it, or did not answer and may at the next try. */
export function InvitationFailure({ query }: InvitationFailureProps) {
  const refusal = findRefusal(query.error);
  if (refusal !== undefined && refusal.status < 500)
    return <NoInvitation message={failureText(refusal, TEXTS.invitationInvalid)} error={refusal} />;
  return (
    <ErrorNotice
      what="The invitation could not be loaded."
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

/** In place of an invitation that there is not. */
export function NoInvitation(problem: FormProblem) {
  return (
    <Stack>
      <FormError {...problem} />
      <AnchorLink to="/login" size="sm">
        Back to Login
      </AnchorLink>
    </Stack>
  );
}
