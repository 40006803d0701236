import { Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { FormError, type FormProblem } from '../../ui/feedback/form-error.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { formatFailure } from './failure-text.ts';

/** The remedy for a link without a token. For other links, the server's response contains the remedy. */
const REMEDY = 'Ask the owner of the organization to send the invitation again.';

interface InvitationFailureProps {
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

/** Shows why an invitation cannot be shown: the server rejected it, or the request failed and can be retried. */
export function InvitationFailure({ query }: InvitationFailureProps) {
  const refusal = findRefusal(query.error);
  if (refusal !== undefined && refusal.status < 500)
    return <NoInvitation message={formatFailure(refusal, TEXTS.invitationInvalid)} error={refusal} />;
  return (
    <ErrorNotice
      what="The invitation could not be loaded."
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

/** Shown instead of an invitation that the server rejects, or whose token is missing. */
export function NoInvitation(problem: FormProblem) {
  return (
    <Stack>
      <FormError {...problem} />
      {problem.error === undefined && <Text size="sm">{REMEDY}</Text>}
      <AnchorLink to="/login" size="sm">
        Back to Login
      </AnchorLink>
    </Stack>
  );
}
