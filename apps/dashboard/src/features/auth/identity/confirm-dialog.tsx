import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type ConfirmWith, RECENT_AUTHENTICATION_MINUTES, routes, TEXTS } from '@throughline/contract';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { api } from '../../../shell/api.ts';
import { readConfirmWith } from '../../../shell/session/identity-confirmation.ts';
import { preferReason } from '../../../shell/session/refusal.ts';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { useAction } from '../../../shell/use-action.ts';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { CodeField, CodeKindButton, isCompleteCode, NO_CODE } from './code-field.tsx';

/** Places this dialog above the dialog whose action waits for the confirmation. */
const Z_INDEX = 300;

interface ConfirmDialogProps {
  /** Undefined while the dialog is closed. */
  readonly confirmWith: ConfirmWith | undefined;
  readonly onSettled: (confirmed: boolean) => void;
}

/**
 * "Confirm it's you": some API routes require a recent login. If the server rejects a call for this reason, this dialog asks for the
 * password or the second factor, and the call is then repeated.
 */
export function ConfirmDialog({ confirmWith, onSettled }: ConfirmDialogProps) {
  return (
    <Modal.Root
      opened={confirmWith !== undefined}
      onClose={() => onSettled(false)}
      zIndex={Z_INDEX}
      // The dialog below also listens for Escape and must stay open, so this dialog handles the key itself.
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      onFocus={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) onSettled(false);
      }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        {/* Omits Mantine's header: a page must have only one banner, and the dialog below already has a header. */}
        <Modal.Body pt="md">
          <Group justify="space-between" mb="sm">
            <Modal.Title>Confirm it's you</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Group>
          {confirmWith !== undefined && <ConfirmForm confirmWith={confirmWith} onSettled={onSettled} />}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function ConfirmForm({ confirmWith, onSettled }: ConfirmDialogProps & { readonly confirmWith: ConfirmWith }) {
  const { user } = useSignedIn();
  /**
   * The proof that the form requests, initially `confirmWith`. If two-factor authentication is turned on or off while the dialog is open,
   * the server requires the other proof, and the form changes.
   */
  const [by, setBy] = useState(confirmWith);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState(NO_CODE);
  const field = useRef<HTMLInputElement>(null);
  const confirmation = useAction({
    failure: (error) =>
      preferReason(error, {
        wordless: by === 'password' ? TEXTS.currentPasswordWrong : TEXTS.codeOrBackupInvalid,
      }),
    mutationFn: () =>
      api.call(routes.auth.confirm, { body: by === 'password' ? { password } : { code: code.text } }),
    onSuccess: () => onSettled(true),
    onError: (error) => {
      setBy(readConfirmWith(error) ?? by);
      field.current?.select();
    },
  });
  const isComplete = by === 'password' ? password !== '' : isCompleteCode(code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !confirmation.isPending) confirmation.mutate();
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Confirm it's you">
      <Stack>
        <Text size="sm">
          This action needs a recent login. We won't ask again for {RECENT_AUTHENTICATION_MINUTES} minutes.
        </Text>
        {by === 'password' ? (
          <>
            {/* Shows password managers which account the password belongs to. */}
            <input type="text" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordInput
              ref={field}
              label="Password"
              name="password"
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          </>
        ) : (
          <>
            <CodeField ref={field} code={code} onChange={setCode} focus="dialog" />
            <CodeKindButton
              code={code}
              onChange={(next) => {
                setCode(next);
                confirmation.reset();
              }}
            />
          </>
        )}
        <DialogActions problem={confirmation.problem} onCancel={() => onSettled(false)}>
          <Button type="submit" disabled={!isComplete} loading={confirmation.isPending}>
            Confirm
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
