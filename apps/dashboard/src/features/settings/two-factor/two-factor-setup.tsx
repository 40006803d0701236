import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { AuthenticatorCode, CODE_DIGITS } from '../../../ui/copying/authenticator-code.tsx';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useVerifyTwoFactor } from '../queries.ts';
import classes from '../settings.module.css';
import { BackupCodes } from './backup-codes.tsx';

interface TwoFactorSetupProps {
  readonly setup: {
    readonly secret: string;
    readonly qrCodeUrl: string;
    readonly backupCodes: readonly string[];
  };
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onEnabled: () => void;
}

/** Dialog with the setup steps: add the secret to an app, save the backup codes, enter a code as proof. */
export function TwoFactorSetup({ setup, opened, onClose, onEnabled }: TwoFactorSetupProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const verify = useVerifyTwoFactor();
  const close = () => {
    setCode('');
    verify.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length !== CODE_DIGITS) return;
    verify.mutate(code, {
      onSuccess: () => {
        close();
        onEnabled();
      },
      onError: () => field.current?.select(),
    });
  };
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={close} title="Set up two-factor authentication">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            Scan this with an authenticator app, such as Aegis, 1Password or Google Authenticator.
          </Text>
          <img src={setup.qrCodeUrl} alt="QR code of the secret" className={classes.qr} />
          <Group gap="xs" wrap="nowrap" justify="center">
            <Text size="xs" className={classes.secret} aria-label="Secret">
              {setup.secret}
            </Text>
            <CopyButton value={setup.secret} label="Copy secret" />
          </Group>
          <BackupCodes codes={setup.backupCodes} />
          <AuthenticatorCode
            ref={field}
            label="Authenticator code"
            placeholder="Enter 6-digit code"
            value={code}
            onChange={setCode}
            focus="dialog"
          />
          <DialogActions problem={verify.problem} onCancel={close}>
            <Button type="submit" disabled={code.length !== CODE_DIGITS} loading={verify.isPending}>
              Verify and enable
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
