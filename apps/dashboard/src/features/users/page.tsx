import { Badge, Button, Stack, Tabs } from '@mantine/core';
import { IconLock, IconUserPlus } from '@tabler/icons-react';
import { mayDo, PLANS } from '@throughline/contract';
import { Suspense, useState } from 'react';
import { useOpened } from '../../shell/frame/use-opened.ts';
import { lazyPart } from '../../shell/load-page.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AuditLog } from './audit-log.tsx';
import { FREE_PLAN_LIMIT, type MembersLimit } from './members-limit.ts';
import { People } from './people-view.tsx';

const AddUser = lazyPart(() => import('./add-user.tsx'), 'AddUser');
const UpgradeRequired = lazyPart(() => import('./upgrade-required.tsx'), 'UpgradeRequired');

/** Owner's page to add, change and remove members of the organization, and to read the audit log. */
export function UsersPage() {
  const { organization } = useSignedIn();
  const adding = useOpened();
  const upgrading = useOpened();
  const [refusal, setRefusal] = useState<MembersLimit>(FREE_PLAN_LIMIT);
  const { tab } = useViewParams();
  const changeView = useChangeView();
  if (organization === null || !mayDo(organization.role, 'members.manage')) {
    return (
      <Stack>
        <PageHeader title="Users" />
        <EmptyState
          title="This page is for owners"
          action={
            <ButtonLink to="/dashboard" variant="default">
              Back to the dashboard
            </ButtonLink>
          }
        >
          Only the owner of an organization can add and remove users.
        </EmptyState>
      </Stack>
    );
  }
  const isFree = organization.plan === 'free_trial';
  return (
    <Stack>
      <PageHeader
        title="Users"
        beside={
          <Badge
            variant="light"
            color={isFree ? 'gray' : 'indigo'}
            leftSection={isFree ? <IconLock size={12} aria-hidden /> : undefined}
          >
            {PLANS[organization.plan].name}
          </Badge>
        }
      >
        <Button
          leftSection={isFree ? <IconLock size={16} aria-hidden /> : <IconUserPlus size={16} aria-hidden />}
          aria-disabled={isFree}
          variant={isFree ? 'default' : 'filled'}
          onClick={isFree ? upgrading.open : adding.open}
        >
          Add User
        </Button>
      </PageHeader>
      <Tabs
        value={tab === 'audit' ? 'audit' : 'people'}
        onChange={(value) => changeView({ tab: value ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="people">People</Tabs.Tab>
          <Tabs.Tab value="audit">Audit log</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people" pt="md">
          <People organizationId={organization.id} />
        </Tabs.Panel>
        <Tabs.Panel value="audit" pt="md">
          <AuditLog organizationId={organization.id} />
        </Tabs.Panel>
      </Tabs>
      <Suspense>
        {adding.wasOpened && (
          <AddUser
            organizationId={organization.id}
            opened={adding.isOpen}
            onClose={adding.close}
            onUpgrade={(refused) => {
              setRefusal(refused);
              adding.close();
              upgrading.open();
            }}
          />
        )}
        {upgrading.wasOpened && (
          <UpgradeRequired refusal={refusal} opened={upgrading.isOpen} onClose={upgrading.close} />
        )}
      </Suspense>
    </Stack>
  );
}
