import { Stack, Tabs, Text } from '@mantine/core';
import { mayDo } from '@throughline/contract';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AccountTab } from './account-tab.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { OrganizationSection } from './organization-section.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { TwoFactorTab } from './two-factor/two-factor-tab.tsx';

const TABS = ['profile', 'security', '2fa', 'account'] as const;

/** Settings of the user's own account. The URL stores the open tab. */
export function SettingsPage() {
  const { user, organization } = useSignedIn();
  const { tab } = useViewParams();
  const changeView = useChangeView();
  const mayDelete = mayDo(organization?.role ?? 'solo', 'account.delete');
  const shown = TABS.find((one) => one === tab && (one !== 'account' || mayDelete)) ?? 'profile';
  return (
    <Stack maw={720}>
      <PageHeader title="Settings" />
      <Tabs value={shown} onChange={(value) => changeView({ tab: value ?? undefined })} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="security">Security</Tabs.Tab>
          <Tabs.Tab value="2fa">2FA</Tabs.Tab>
          {mayDelete && <Tabs.Tab value="account">Account</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="profile" pt="lg">
          <Stack gap="xl">
            {/* The key resets the form to the new address after an address was confirmed in another tab or browser. */}
            <ProfileTab key={user.email} />
            <OrganizationSection />
            <NotificationsSection />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="security" pt="lg">
          <SecurityTab />
        </Tabs.Panel>
        <Tabs.Panel value="2fa" pt="lg">
          <TwoFactorTab />
        </Tabs.Panel>
        {mayDelete && (
          <Tabs.Panel value="account" pt="lg">
            <AccountTab />
          </Tabs.Panel>
        )}
      </Tabs>
      {!mayDelete && (
        <Text size="sm" c="dimmed">
          To have your account removed, contact the organization administrator or owner.
        </Text>
      )}
    </Stack>
  );
}
