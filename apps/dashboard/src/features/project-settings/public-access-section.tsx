import { Button, Checkbox, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { IconLock, IconWorld } from '@tabler/icons-react';
import type { Project } from '@throughline/contract';
import { useState } from 'react';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { type Outcome, OutcomeNotice, toOutcome } from '../settings/index.ts';
import { useChangeProject } from './queries.ts';
import classes from './settings.module.css';

interface PublicAccessSectionProps {
  readonly project: Project;
  readonly mayPublish: boolean;
}

/** Shows whether a project is public, and makes the project public or private. */
export function PublicAccessSection({ project, mayPublish }: PublicAccessSectionProps) {
  const change = useChangeProject(project, 'The project could not be made private.');
  const { organization } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const makePrivate = () =>
    change.mutate(
      { public: false },
      {
        onSuccess: () => setOutcome({ type: 'success', message: `${project.name} is private.` }),
        onError: (error) => setOutcome(toOutcome(change.explain(error))),
      },
    );
  return (
    <section aria-labelledby="public-access" className={classes.section}>
      <Title order={2} size="h3" id="public-access">
        Public access
      </Title>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {project.public ? <IconWorld size={18} aria-hidden /> : <IconLock size={18} aria-hidden />}
        <Text size="sm">
          {project.public ? (
            <>
              Public:{' '}
              <AnchorLink to="/public/$id" params={{ id: project.id }}>
                anyone can look
              </AnchorLink>{' '}
              at its traces, without values.
            </>
          ) : organization === null ? (
            'Private: only you see it.'
          ) : (
            'Private: only you and the members of your organization see it.'
          )}
        </Text>
      </Group>
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      {mayPublish && (
        <Group>
          {project.public ? (
            <Button variant="default" loading={change.isPending} onClick={makePrivate}>
              Make private
            </Button>
          ) : (
            <Button variant="default" onClick={() => setAsking(true)}>
              Make public…
            </Button>
          )}
        </Group>
      )}
      <Modal opened={asking} onClose={() => setAsking(false)} title="Make this project public?" size="lg">
        <Warning
          project={project}
          onDone={(done) => {
            setAsking(false);
            if (done) setOutcome({ type: 'success', message: `${project.name} is public.` });
          }}
        />
      </Modal>
    </section>
  );
}

/** Lists what public viewers will see, before the project becomes public. */
function Warning({
  project,
  onDone,
}: {
  readonly project: Project;
  readonly onDone: (done: boolean) => void;
}) {
  const change = useChangeProject(project, 'The project could not be made public.');
  const [understood, setUnderstood] = useState(false);
  return (
    <Stack>
      <Text size="sm">
        Anyone who can reach this server will see all current and future traces of{' '}
        <strong>{project.name}</strong>, without an account. The start page lists the project, too.
      </Text>
      <div>
        <Text size="sm" fw={600}>
          They see
        </Text>
        <ul className={classes.what}>
          <li>the project's name and description, and the services' names</li>
          <li>
            methods, route templates such as /orders/:id, statuses, times, CPU, memory, and the Node version
          </li>
          <li>names of functions, parameters and variables, and where they are in your files</li>
        </ul>
      </div>
      <div>
        <Text size="sm" fw={600}>
          They do not see
        </Text>
        <ul className={classes.what}>
          <li>any value: paths as requested, headers, bodies, inputs, outputs, variables, SQL, log lines</li>
          <li>error messages, IP addresses, users, hosts, environments</li>
          <li>API keys, members, or your organization</li>
        </ul>
      </div>
      <Checkbox
        label="I understand that this reveals the structure of my code"
        checked={understood}
        onChange={(event) => setUnderstood(event.currentTarget.checked)}
      />
      <DialogActions problem={change.problem} onCancel={() => onDone(false)}>
        <Button
          color="red"
          disabled={!understood}
          loading={change.isPending}
          onClick={() => change.mutate({ public: true }, { onSuccess: () => onDone(true) })}
        >
          Make public
        </Button>
      </DialogActions>
    </Stack>
  );
}
