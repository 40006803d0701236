import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AuthenticatorCode } from '../../../ui/copying/authenticator-code.tsx';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useDisableTwoFactor } from '../queries.ts';

interface TwoFactorDisableProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDisabled: () => void;
}

export function TwoFactorDisable({ opened, onClose, onDisabled }: TwoFactorDisableProps) {
  const [code, setCode] = useState('');
  const [backupCode, setBackupCode] = useState('');
  const disable = useDisableTwoFactor();
  const empty = code === '' && backupCode.trim() === '';
  const close = () => {
    setCode('');
    setBackupCode('');
    disable.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (empty || disable.isPending) return;
    disable.mutate(
      { code, backupCode },
      {
        onSuccess: () => {
          close();
          onDisabled();
        },
      },
    );
  };
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={close} title="Disable 2FA">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            You'll log in with only your password. Confirm with a code from your authenticator app or with a
            backup code.
          </Text>
          <AuthenticatorCode
            label="Authenticator code"
            placeholder="Enter 6-digit code"
            value={code}
            onChange={setCode}
            focus="dialog"
          />
          <TextInput
            label="Backup code"
            placeholder="Or enter a backup code"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            value={backupCode}
            onChange={(event) => setBackupCode(event.currentTarget.value)}
          />
          <DialogActions problem={disable.problem} onCancel={close}>
            <Button type="submit" color="red" disabled={empty || disable.isPending}>
              {disable.isPending ? 'Disabling...' : 'Disable 2FA'}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
