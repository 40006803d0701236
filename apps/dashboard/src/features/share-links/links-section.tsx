import { Text, Title } from '@mantine/core';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { settingsStyles as classes } from '../project-settings/index.ts';
import { LinkedRequest, LinkRows } from './link-rows.tsx';
import { useProjectLinks } from './queries.ts';

interface SharedTracesSectionProps {
  readonly projectId: string;
  readonly mayShare: boolean;
}

/** All active share links to a project's traces. */
export function SharedTracesSection({ projectId, mayShare }: SharedTracesSectionProps) {
  const links = useProjectLinks(projectId);
  return (
    <section aria-labelledby="shared-traces" className={classes.section}>
      <Title order={2} size="h3" id="shared-traces">
        Shared traces
      </Title>
      <Text size="sm">
        Anyone with one of these links can see its trace without an account. To create one, open a trace and
        press Share.
      </Text>
      {links.isPending && <RowsSkeleton what="links" rows={2} />}
      {links.isError && (
        <ErrorNotice
          what="The links could not be loaded."
          error={links.error}
          onRetry={() => void links.refetch()}
          retrying={links.isFetching}
        />
      )}
      {links.data !== undefined && (
        <LinkRows
          links={links.data}
          label="Links to traces"
          mayRevoke={mayShare}
          heading={(link) => <LinkedRequest link={link} />}
        />
      )}
      {links.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No trace is shared.
        </Text>
      )}
    </section>
  );
}
