import { Text, Title } from '@mantine/core';
import { settingsStyles as classes } from '../project-settings/index.ts';
import { LinkList } from './link-list.tsx';
import { LinkTable } from './link-table.tsx';
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
      <LinkList query={links} rows={2} empty="No trace is shared.">
        {(shared) => <LinkTable links={shared} mayRevoke={mayShare} />}
      </LinkList>
    </section>
  );
}
