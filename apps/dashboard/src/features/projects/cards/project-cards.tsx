import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Project } from '@throughline/contract';
import { Suspense, useDeferredValue, useState } from 'react';
import { lazyPart } from '../../../shell/load-page.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import type { OpenDialog } from '../dialogs/project-dialog.tsx';
import { ProjectCard } from './project-card.tsx';
import classes from './project-cards.module.css';

const ProjectDialog = lazyPart(() => import('../dialogs/project-dialog.tsx'), 'ProjectDialog');

/** Minimum number of projects for which the search field is shown. */
const SEARCH_FROM = 9;

export function ProjectCards({ projects }: { readonly projects: readonly Project[] }) {
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<OpenDialog>();
  const [opened, setOpened] = useState(false);
  const open = (next: OpenDialog) => {
    setDialog(next);
    setOpened(true);
  };
  // Deferred, so that the field shows typed characters before hundreds of cards render again.
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const shown = projects.filter((project) => project.name.toLowerCase().includes(wanted));
  return (
    <>
      {projects.length >= SEARCH_FROM && (
        <TextInput
          aria-label="Search projects"
          placeholder="Search projects"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maw={320}
        />
      )}
      <ul className={classes.root} aria-label="Projects">
        {shown.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} onOpen={(kind) => open({ kind, projectId: project.id })} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <EmptyState title="No matching projects" />}
      {opened && (
        <Suspense>
          <ProjectDialog dialog={dialog} projects={projects} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}
