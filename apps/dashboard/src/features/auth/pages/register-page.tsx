import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { routes, TEXTS } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { CardsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { InvitationFailure, NoInvitation } from '../invitation-failure.tsx';
import { useInvitation } from '../invitation-queries.ts';
import { AccountTypeChooser } from '../registration/account-type-chooser.tsx';
import { RegistrationForm } from '../registration/registration-form.tsx';

const route = getRouteApi('/register');

/**
 * Shows the choice of account type, then the form; an invitation opens the form directly. The URL stores the choice and the invitation, so
 * that the browser's Back button returns from the form to the choice.
 */
export function RegisterPage() {
  const { type, token } = route.useSearch();
  const navigate = route.useNavigate();
  const back = () => void navigate({ search: {} });
  if (token !== undefined) return <InvitedRegistration token={token} />;
  if (type === 'solo') {
    return (
      <AuthFrame title="Create your account">
        <RegistrationForm
          failure={TEXTS.registrationFailed}
          register={({ name, email, password }) =>
            api.call(routes.auth.registerSolo, { body: { name, email, password } })
          }
          onBack={back}
        />
      </AuthFrame>
    );
  }
  if (type === 'organization') {
    return (
      <AuthFrame title="Create your organization">
        <RegistrationForm
          ofOrganization
          failure={TEXTS.registrationOrganizationFailed}
          register={({ confirmation: _confirmation, ...body }) =>
            api.call(routes.auth.registerOrganization, { body })
          }
          onBack={back}
        />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Choose your account type">
      <AccountTypeChooser onChosen={(chosen) => void navigate({ search: { type: chosen } })} />
    </AuthFrame>
  );
}

function InvitedRegistration({ token }: { readonly token: string }) {
  const invitation = useInvitation(token);
  const navigate = route.useNavigate();
  return (
    <AuthFrame title="Join your team">
      {invitation.isLoading && <CardsSkeleton what="the invitation" cards={1} />}
      {token === '' && <NoInvitation message={TEXTS.invitationTokenInvalid} />}
      {invitation.isError && <InvitationFailure query={invitation} />}
      {invitation.isSuccess && (
        <Stack>
          <Text size="sm">
            You are joining <strong>{invitation.data.organizationName}</strong>.
          </Text>
          <RegistrationForm
            invited={{ name: invitation.data.name, email: invitation.data.email }}
            failure={TEXTS.registrationInvitationFailed}
            onBack={() => void navigate({ to: '/invite/$token', params: { token }, search: {} })}
            register={({ name, email, password }) =>
              api.call(routes.auth.registerInvited, { params: { token }, body: { name, email, password } })
            }
          />
        </Stack>
      )}
    </AuthFrame>
  );
}
