import { Group, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { EMAIL_LINK_HOURS } from '@throughline/contract';
import { useSignedIn } from '../../shell/session/use-session.ts';
import classes from '../../ui/feedback/notice.module.css';
import { ActionButton } from './action-button.tsx';
import type { Outcome } from './outcome.tsx';
import { useCancelEmailChange, useResendEmailLink } from './queries.ts';

/**
 * Shows the new or current email address that awaits confirmation, with the possible actions. Renders nothing if no address awaits
 * confirmation.
 */
export function AddressNotice({ onOutcome }: { readonly onOutcome: (outcome: Outcome) => void }) {
  const { user } = useSignedIn();
  const resend = useResendEmailLink();
  const cancel = useCancelEmailChange();
  const { pendingEmail } = user;
  if (pendingEmail === null && user.emailVerified) return null;
  return (
    <section className={classes.plain} aria-label="Address to confirm">
      <IconMail size={18} aria-hidden className={classes.mark} />
      <div className={classes.words}>
        {pendingEmail === null ? (
          <Text size="sm">
            <strong>{user.email}</strong> is not confirmed yet. Open the link in the email that we sent, or
            request a new link.
          </Text>
        ) : (
          <Text size="sm">
            We sent a link to <strong>{pendingEmail}</strong>. Open it within {EMAIL_LINK_HOURS} hours to
            change your address. Until then your address stays <strong>{user.email}</strong>.
          </Text>
        )}
        <Group gap="xs" mt="xs">
          <ActionButton
            size="xs"
            action={resend}
            done={({ email }) => ({ type: 'success', message: `The link is on its way to ${email}.` })}
            onOutcome={onOutcome}
          >
            Send a new link
          </ActionButton>
          {pendingEmail !== null && (
            <ActionButton
              size="xs"
              action={cancel}
              done={() => ({ type: 'success', message: `Your address stays ${user.email}.` })}
              onOutcome={onOutcome}
            >
              Cancel change
            </ActionButton>
          )}
        </Group>
      </div>
    </section>
  );
}
