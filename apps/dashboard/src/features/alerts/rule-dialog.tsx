import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AlertRule } from '@throughline/contract';
import { useState } from 'react';
import { CodeLine } from '../../ui/copying/code-line.tsx';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import type { Recipient } from './people-field.tsx';
import { RuleForm } from './rule-form.tsx';

/** The rule being edited; `rule` is undefined for a new rule. */
export interface OpenRule {
  readonly rule: AlertRule | undefined;
}

interface RuleDialogProps {
  readonly projectId: string;
  readonly people: readonly Recipient[];
  /** Undefined while the dialog is closed. */
  readonly open: OpenRule | undefined;
  readonly onClose: (isSaved: boolean) => void;
}

/** Dialog to create or edit a rule. If saving creates a webhook secret, the dialog shows the secret once. */
export function RuleDialog({ projectId, people, open, onClose }: RuleDialogProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  // Keeps rendering the last rule while the dialog fades out.
  const [shown, setShown] = useState<OpenRule>();
  const [secret, setSecret] = useState<string>();
  if (open !== undefined && shown !== open) {
    setShown(open);
    setSecret(undefined);
  }
  const close = () => onClose(secret !== undefined);
  return (
    <Modal
      opened={useOpenAfterMount(open !== undefined)}
      onClose={close}
      title={shown?.rule === undefined ? 'New alert' : 'Edit alert'}
      size="lg"
      fullScreen={narrow}
    >
      {shown !== undefined && secret === undefined && (
        <RuleForm
          key={shown.rule?.id ?? 'new'}
          projectId={projectId}
          rule={shown.rule}
          people={people}
          onSaved={(made) => (made === null ? onClose(true) : setSecret(made))}
          onCancel={() => onClose(false)}
        />
      )}
      {secret !== undefined && (
        <Stack>
          <Text size="sm">
            The alert was saved. The server signs each webhook with this secret, so that its recipient can
            verify it. Copy the secret now: it will not be shown again.
          </Text>
          <CodeLine code={secret} label="Copy signing secret" />
          <Group justify="flex-end">
            <Button onClick={close} autoFocus>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
