import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { mayDo, type Organization } from '@throughline/contract';
import { Suspense, useState } from 'react';
import { useOpened } from '../../shell/frame/use-opened.ts';
import { lazyPart } from '../../shell/load-page.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { type Outcome, OutcomeNotice } from './outcome.tsx';

const OrganizationForm = lazyPart(() => import('./organization-form.tsx'), 'OrganizationForm');
const LeaveOrganization = lazyPart(() => import('./leave-organization.tsx'), 'LeaveOrganization');

const ROLES = { owner: 'its owner', admin: 'an admin', developer: 'a developer' } as const;

/** The user's organization: owners can rename it, other members can leave it. A user without an organization can create one. */
export function OrganizationSection() {
  const { organization } = useSignedIn();
  const naming = useOpened();
  const leaving = useOpened();
  const [outcome, setOutcome] = useState<Outcome>();
  const succeed = (message: string) => setOutcome({ type: 'success', message });
  return (
    <section aria-label="Organization">
      <Stack gap="sm">
        <Title order={2} size="h3">
          Organization
        </Title>
        <About organization={organization} />
        <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
        <Group>
          {organization === null && (
            <Button variant="default" onClick={naming.open}>
              Create organization
            </Button>
          )}
          {organization !== null && mayDo(organization.role, 'organization.edit') && (
            <Button variant="default" onClick={naming.open}>
              Rename organization
            </Button>
          )}
          {organization !== null && organization.role !== 'owner' && (
            <Button variant="default" onClick={leaving.open}>
              Leave organization
            </Button>
          )}
        </Group>
        <Suspense>
          {naming.wasOpened && (
            <OrganizationForm
              key={organization?.id}
              organization={organization}
              opened={naming.isOpen}
              onClose={naming.close}
              onDone={succeed}
            />
          )}
          {leaving.wasOpened && organization !== null && (
            <LeaveOrganization
              organization={organization}
              opened={leaving.isOpen}
              onClose={leaving.close}
              onDone={succeed}
            />
          )}
        </Suspense>
      </Stack>
    </section>
  );
}

function About({ organization }: { readonly organization: Organization | null }) {
  if (organization === null) {
    return (
      <Text size="sm" c="dimmed">
        You're not in an organization. An organization shares projects and traces with the people you invite.
      </Text>
    );
  }
  return (
    <Text size="sm">
      <strong>{organization.name}</strong>{' '}
      <Text span c="dimmed" inherit>
        ({organization.slug}) · {ROLES[organization.role]}
      </Text>
    </Text>
  );
}
