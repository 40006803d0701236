import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Project } from '@throughline/contract';
import { useState } from 'react';
import notice from '../../../ui/feedback/notice.module.css';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useRegenerateApiKey } from '../queries.ts';
import classes from './api-key-dialog.module.css';

const AT_ONCE = '0';
const GRACE = [
  { value: AT_ONCE, label: 'Immediately' },
  { value: '1', label: 'In 1 hour' },
  { value: '24', label: 'In 24 hours' },
];

/** Creates a new API key after a warning. The old key expires immediately or after a grace period. */
export function RegenerateKey({ project }: { readonly project: Project }) {
  const [asking, ask] = useDisclosure(false);
  const [graceHours, setGraceHours] = useState(AT_ONCE);
  const regeneration = useRegenerateApiKey(project);
  const regenerate = () => {
    regeneration.mutate(Number(graceHours), {
      onSuccess: () => {
        ask.close();
        notifySuccess(`${project.name} has a new API key.`);
      },
    });
  };
  return (
    <section aria-label="Regenerate" className={classes.regenerate}>
      <Group justify="space-between">
        <Title order={3}>Has the key leaked?</Title>
        {!asking && (
          <Button size="xs" variant="default" onClick={ask.open}>
            Regenerate
          </Button>
        )}
      </Group>
      {asking && (
        <Stack gap="sm" mt="sm">
          <div className={notice.warning}>
            <IconAlertTriangle size={18} aria-hidden className={notice.mark} />
            <Text size="sm" className={notice.words}>
              Apps using the old key will be rejected until you update them. This cannot be undone.
            </Text>
          </div>
          <Select
            label="Old key expires"
            data={GRACE}
            value={graceHours}
            onChange={(value) => setGraceHours(value ?? AT_ONCE)}
            maw={240}
          />
          <DialogActions problem={regeneration.problem} onCancel={ask.close}>
            <Button color="red" loading={regeneration.isPending} onClick={regenerate}>
              Regenerate key
            </Button>
          </DialogActions>
        </Stack>
      )}
    </section>
  );
}
