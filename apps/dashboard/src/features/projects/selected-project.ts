import { notifications } from '@mantine/notifications';
import type { Project } from '@throughline/contract';
import { useEffect } from 'react';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { useProjects } from './queries.ts';

/** The project that the address names, else the first. Undefined while the projects load, or without any. */
export function chooseProject(
  projects: readonly Project[] | undefined,
  wanted: string | undefined,
): Project | undefined {
  return projects?.find((project) => project.id === wanted) ?? projects?.[0];
}

/** The selected project, and the query of all of them. Writes the one that it chose into the address. */
export function useSelectedProject() {
  const projects = useProjects();
  const { project: wanted } = useViewParams();
  const change = useChangeView();
  const selected = chooseProject(projects.data, wanted);
  const chosenId = selected?.id;
  useEffect(() => {
    // A project that the kept list lacks may be one that somebody has just made: ask before correcting the address.
    if (chosenId === undefined || chosenId === wanted || projects.isFetching) return;
    if (wanted !== undefined) {
      notifications.show({
        id: 'project-not-here',
        message: 'The project of that address was deleted, or is not yours to see.',
      });
    }
    change({ project: chosenId }, { replace: true });
  });
  return { selected, projects };
}
