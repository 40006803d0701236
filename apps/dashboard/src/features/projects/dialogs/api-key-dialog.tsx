import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { maskApiKey, type Project } from '@throughline/contract';
import { useState } from 'react';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { CopyTextButton } from '../../../ui/copying/copy-text-button.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { useAbout } from '../../product/index.ts';
import { UsageSteps } from '../first-trace/usage-steps.tsx';
import { mayDoWith } from '../permissions.ts';
import { useApiKey } from '../queries.ts';
import classes from './api-key-dialog.module.css';
import { RegenerateKey } from './regenerate-key.tsx';

/** Dialog to show, copy and regenerate a project's API key, with setup instructions. */
export function ApiKeyDialog({ project }: { readonly project: Project }) {
  const who = useSignedIn();
  const key = useApiKey(project.id);
  const about = useAbout();
  const [visible, setVisible] = useState(false);
  const failed = [key, about].find((query) => query.isError);
  if (failed !== undefined) {
    return (
      <ErrorNotice
        what="The API key could not be loaded."
        error={failed.error}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  }
  if (!key.isSuccess || !about.isSuccess) return <RowsSkeleton what="the API key" rows={6} />;
  const apiKey = key.data;
  const shownKey = visible ? apiKey : maskApiKey(apiKey);
  return (
    <Stack gap="lg">
      <section aria-label="API key">
        <Text size="sm" c="dimmed" mb="xs">
          The key of <strong>{project.name}</strong>. It only allows sending traces to this project.
        </Text>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <output className={classes.key} aria-label="API key">
            {shownKey}
          </output>
          <Button
            size="xs"
            variant="default"
            leftSection={visible ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
            aria-pressed={visible}
            onClick={() => setVisible(!visible)}
          >
            Show
          </Button>
          <CopyTextButton value={apiKey} label="Copy API key" />
        </Group>
      </section>
      <UsageSteps setup={{ apiKey, publicUrl: about.data.publicUrl }} shownKey={shownKey} />
      {mayDoWith(who, project, 'key.regenerate') && <RegenerateKey project={project} />}
    </Stack>
  );
}
