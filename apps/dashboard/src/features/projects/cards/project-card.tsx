import { ActionIcon, Badge, Button, Group, Menu, Text, Title } from '@mantine/core';
import { IconDots, IconKey, IconPencil, IconSettings, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { formatCount, type Project } from '@throughline/contract';
import { type ReactNode, useRef } from 'react';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { formatDate, formatInstant } from '../../../ui/time/relative-time.ts';
import type { DialogKind } from '../dialogs/project-dialog.tsx';
import { mayDoWith } from '../permissions.ts';
import classes from './project-card.module.css';

interface ProjectCardProps {
  readonly project: Project;
  readonly onOpen: (dialog: DialogKind) => void;
}

/** Card of a project: its description, its number of traces, and the actions that the viewer can take. */
export function ProjectCard({ project, onOpen }: ProjectCardProps) {
  const createdMs = Date.parse(project.createdAt);
  return (
    <article className={classes.root} aria-label={project.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Title order={2} size="h3" className={classes.name}>
          <AnchorLink to="/dashboard" search={{ project: project.id }} inherit c="inherit">
            {project.name}
          </AnchorLink>
        </Title>
        <Group gap={4} wrap="nowrap">
          {project.public && (
            <Badge className={classes.public} title="Anyone can look at its traces, without values">
              Public
            </Badge>
          )}
          <MoreActions project={project} onOpen={onOpen} />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} className={classes.description}>
        {project.description === '' ? 'No description' : project.description}
      </Text>
      <dl className={classes.facts}>
        <Fact label="Traces">{formatCount(project.traceCount)}</Fact>
        <Fact label="Days active">{formatCount(project.daysActive)}</Fact>
        <Fact label="Created">
          <time dateTime={project.createdAt} title={formatInstant(createdMs)}>
            {formatDate(createdMs)}
          </time>
        </Fact>
      </dl>
      <Group justify="space-between" gap="xs" className={classes.key}>
        <span className="mono" title="The project's API key, masked">
          {project.apiKey}
        </span>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconKey size={14} aria-hidden />}
          onClick={() => onOpen('key')}
        >
          Manage API Key
        </Button>
      </Group>
    </article>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}

function MoreActions({ project, onOpen }: ProjectCardProps) {
  const who = useSignedIn();
  const mayEdit = mayDoWith(who, project, 'projects.edit');
  const mayDelete = mayDoWith(who, project, 'projects.delete');
  const navigate = useNavigate();
  const trigger = useRef<HTMLButtonElement>(null);
  const open = (dialog: DialogKind) => {
    // A closing dialog restores the earlier focus. The menu item no longer exists then, so focus the menu's button first.
    trigger.current?.focus();
    onOpen(dialog);
  };
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon
          ref={trigger}
          variant="subtle"
          color="gray"
          aria-label={`More actions for ${project.name}`}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/projects/$id/settings', params: { id: project.id } })}
        >
          Settings
        </Menu.Item>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => open('rename')}>
            Rename
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item
            color="var(--tone-red-text)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => open('delete')}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
