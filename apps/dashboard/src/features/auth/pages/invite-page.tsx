import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError, type InvitationOffer, routes, TEXTS } from '@throughline/contract';
import { useEffect, useRef } from 'react';
import { api, session } from '../../../shell/api.ts';
import { HOME } from '../../../shell/session/return-path.ts';
import { useSession } from '../../../shell/session/use-session.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { CardsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';
import { InvitationFailure, NoInvitation } from '../invitation-failure.tsx';
import { useInvitation } from '../invitation-queries.ts';

const route = getRouteApi('/invite/$token');

/** Page title for a link without a valid invitation. */
const NO_OFFER = 'Invitation';

/** Shows an invitation, and accepts it: by registration, by login, or directly if the invited person is signed in. */
export function InvitePage() {
  const { token } = route.useParams();
  const invitation = useInvitation(token);
  return (
    <AuthFrame title={invitation.isError ? NO_OFFER : "You've been invited!"}>
      {invitation.isPending && <CardsSkeleton what="the invitation" cards={1} />}
      {invitation.isError && <InvitationFailure query={invitation} />}
      {invitation.isSuccess && <Offer offer={invitation.data} token={token} />}
    </AuthFrame>
  );
}

/** Shown for an invitation link whose token is missing. */
export function InviteWithoutTokenPage() {
  return (
    <AuthFrame title={NO_OFFER}>
      <NoInvitation message={TEXTS.invitationInvalid} />
    </AuthFrame>
  );
}

function Offer({ offer, token }: { readonly offer: InvitationOffer; readonly token: string }) {
  const { accept } = route.useSearch();
  const navigate = useNavigate();
  const state = useSession();
  const email = state.status === 'signed-in' ? state.user.email : undefined;
  const acceptance = useAction({
    failure: (error) => formatFailure(error, TEXTS.invitationFailed),
    mutationFn: () => api.call(routes.invitations.accept, { params: { token } }),
    onSuccess: (answer) => {
      session.signIn(answer);
      void navigate({ to: HOME, replace: true });
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 'registration_required') void navigate({ to: '/register', search: { token } });
      if (error.code === 'unauthenticated') {
        void navigate({ to: '/login', search: { from: `/invite/${token}?accept=true` } });
      }
    },
  });
  // If the user logged in to accept this invitation, the page accepts the invitation after the login without another click.
  const begun = useRef(false);
  const goesOn = accept === 'true' && email === offer.email;
  const { mutate } = acceptance;
  useEffect(() => {
    if (!goesOn || begun.current) return;
    begun.current = true;
    mutate();
  }, [goesOn, mutate]);

  const about = (
    <Text size="sm">
      {offer.inviterName ?? 'Somebody'} invited you to join <strong>{offer.organizationName}</strong> as{' '}
      {offer.role === 'admin' ? 'an admin' : 'a developer'}.
    </Text>
  );
  if (email !== undefined && email !== offer.email) {
    return (
      <Stack>
        {about}
        <Text size="sm">
          The invitation is for <strong>{offer.email}</strong>, and you are logged in as{' '}
          <strong>{email}</strong>.
        </Text>
        <Button onClick={() => session.logout()}>Log out and continue</Button>
        <AnchorLink to={HOME} size="sm" ta="center">
          Stay logged in as {email}
        </AnchorLink>
      </Stack>
    );
  }
  const leaves =
    acceptance.error instanceof ApiError &&
    (acceptance.error.code === 'registration_required' || acceptance.error.code === 'unauthenticated');
  return (
    <Stack>
      {about}
      <FormError {...(leaves ? {} : acceptance.problem)} />
      <Button loading={acceptance.isPending} onClick={() => acceptance.mutate()}>
        Accept Invitation & Login
      </Button>
    </Stack>
  );
}
