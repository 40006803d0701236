import { Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Project, TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useEffect, useState } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import { CodeLine } from '../../../ui/copying/code-line.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { SendTestTraces } from '../../demo/index.ts';
import { useAbout } from '../../product/index.ts';
import { useApiKey, useRefreshProjects } from '../queries.ts';
import classes from './first-trace.module.css';
import { NothingArrives } from './nothing-arrives.tsx';
import { installCommand, startCommand } from './setup-commands.ts';
import { ShellChoice, useShell } from './shell-choice.tsx';
import { useFirstTrace } from './use-first-trace.ts';

/** Milliseconds without a trace after which the panel lists possible causes. */
const PATIENCE_MS = 20_000;

export interface FirstTracePanelProps {
  readonly project: Project;
  /** Called once, with the first trace. */
  readonly onReceived?: (row: TraceRow) => void;
}

/** Instructions for tracing an app, in two lines. Updates automatically when the first trace arrives. */
export function FirstTracePanel({ project, onReceived }: FirstTracePanelProps) {
  const refreshProjects = useRefreshProjects();
  const first = useFirstTrace(project.id, (row) => {
    refreshProjects();
    onReceived?.(row);
  });
  return (
    <section aria-label="Waiting for your first trace" className={classes.root}>
      <Stack gap="md">
        <Title order={2} size="h3">
          Trace your app: {project.name}
        </Title>
        <SetupLines project={project} />
        <div role="status">{first === undefined ? <Waiting /> : <Received row={first} />}</div>
        {first === undefined && <NothingYet project={project} />}
      </Stack>
    </section>
  );
}

function SetupLines({ project }: { readonly project: Project }) {
  const about = useAbout();
  const apiKey = useApiKey(project.id);
  const [shell, setShell] = useShell();
  const failed = [about, apiKey].find((query) => query.isError);
  if (failed !== undefined) {
    return (
      <ErrorNotice
        what="The commands could not be loaded."
        error={failed.error}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  }
  if (!about.isSuccess || !apiKey.isSuccess) return <RowsSkeleton what="setup" rows={2} />;
  const setup = { apiKey: apiKey.data, publicUrl: about.data.publicUrl };
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          In your app's folder, run these two commands. Replace <span className="mono">server.js</span> with
          your entry file. No code changes needed.
        </Text>
        <ShellChoice shell={shell} onChange={setShell} />
      </Group>
      <CodeLine code={installCommand(setup)} label="Copy install command" />
      <CodeLine code={startCommand(setup, shell)} label="Copy start command" />
    </Stack>
  );
}

function Waiting() {
  return (
    <Group gap="xs">
      <span className={classes.pulse} aria-hidden />
      <Text>Waiting for your first trace…</Text>
    </Group>
  );
}

function Received({ row }: { readonly row: TraceRow }) {
  return (
    <Group gap="xs">
      <IconCheck size={18} aria-hidden color={formatToneColour('green')} />
      <Text fw={600} style={{ color: formatToneColour('green') }}>
        Your first trace was received
      </Text>
      <MethodBadge method={escapeControlCharacters(row.request.method)} />
      <span className={`mono ${classes.path}`}>{escapeControlCharacters(row.request.path)}</span>
      <StatusBadge statusCode={row.response.statusCode} hasError={row.error.hasError} />
      <ButtonLink size="compact-sm" to="/dashboard" search={{ project: row.projectId, trace: row._id }}>
        {' '}
        Open the trace{' '}
      </ButtonLink>
    </Group>
  );
}

function NothingYet({ project }: { readonly project: Project }) {
  const about = useAbout();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {about.data?.demo === true && <SendTestTraces projectId={project.id} />}
      {late && <NothingArrives publicUrl={about.data?.publicUrl} />}
    </>
  );
}
