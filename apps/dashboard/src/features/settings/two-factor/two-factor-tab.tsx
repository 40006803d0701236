import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Suspense, useRef, useState } from 'react';
import { useOpened } from '../../../shell/frame/use-opened.ts';
import { lazyPart } from '../../../shell/load-page.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from '../outcome.tsx';
import { useRegenerateBackupCodes, useSetUpTwoFactor, useTwoFactorStatus } from '../queries.ts';
import { BackupCodes } from './backup-codes.tsx';

const TwoFactorSetup = lazyPart(() => import('./two-factor-setup.tsx'), 'TwoFactorSetup');
const TwoFactorDisable = lazyPart(() => import('./two-factor-disable.tsx'), 'TwoFactorDisable');

/** Settings tab to set up two-factor authentication, turn it off, or renew its backup codes. */
export function TwoFactorTab() {
  const status = useTwoFactorStatus();
  const setUp = useSetUpTwoFactor();
  const regenerate = useRegenerateBackupCodes();
  const setup = useOpened();
  const disabling = useOpened();
  const [codes, setCodes] = useState<readonly string[]>();
  const [outcome, setOutcome] = useState<Outcome>();
  /**
   * A button that sends a request is disabled until the response arrives, and loses the focus. A dialog that closes must therefore focus
   * the button explicitly.
   */
  const enableButton = useRef<HTMLButtonElement>(null);
  const renewButton = useRef<HTMLButtonElement>(null);
  if (status.isPending) return <RowsSkeleton what="the state of two-factor authentication" rows={2} />;
  if (status.isError) {
    return (
      <ErrorNotice
        what="The state of two-factor authentication could not be loaded."
        error={status.error}
        onRetry={() => void status.refetch()}
        retrying={status.isFetching}
      />
    );
  }
  const enabled = status.data.twoFAEnabled;
  const begin = () => {
    setOutcome(undefined);
    setUp.mutate(undefined, {
      onSuccess: setup.open,
      onError: (error) => setOutcome(toOutcome(setUp.explain(error))),
    });
  };
  const renew = () =>
    regenerate.mutate(undefined, {
      onSuccess: (answer) => {
        setCodes(answer.backupCodes);
        setOutcome({ type: 'success', message: 'Backup codes regenerated successfully!' });
      },
      onError: (error) => setOutcome(toOutcome(regenerate.explain(error))),
    });
  return (
    <Stack>
      <Group gap="xs">
        <Text fw={600}>Two-factor authentication</Text>
        <Badge variant="light" color={enabled ? 'green' : 'gray'}>
          {enabled ? 'Enabled' : 'Disabled'}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {enabled
          ? `Logging in requires a code from your authenticator app. ${status.data.backupCodesLeft} of your backup codes are unused.`
          : 'Require a code from an authenticator app when you log in.'}
      </Text>
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      <Group>
        {enabled ? (
          <>
            <Button ref={renewButton} variant="default" loading={regenerate.isPending} onClick={renew}>
              Regenerate backup codes
            </Button>
            <Button color="red" onClick={disabling.open}>
              Disable 2FA
            </Button>
          </>
        ) : (
          <Button ref={enableButton} loading={setUp.isPending} onClick={begin}>
            Enable 2FA
          </Button>
        )}
      </Group>
      <Modal
        opened={codes !== undefined}
        onClose={() => {
          setCodes(undefined);
          renewButton.current?.focus();
        }}
        title="New backup codes"
      >
        {codes !== undefined && <BackupCodes codes={codes} />}
      </Modal>
      <Suspense>
        {setup.wasOpened && setUp.data !== undefined && (
          <TwoFactorSetup
            setup={setUp.data}
            opened={setup.isOpen}
            onClose={() => {
              setup.close();
              enableButton.current?.focus();
            }}
            onEnabled={() => setOutcome({ type: 'success', message: '2FA enabled successfully!' })}
          />
        )}
        {disabling.wasOpened && (
          <TwoFactorDisable
            opened={disabling.isOpen}
            onClose={disabling.close}
            onDisabled={() => setOutcome({ type: 'success', message: '2FA disabled successfully!' })}
          />
        )}
      </Suspense>
    </Stack>
  );
}
