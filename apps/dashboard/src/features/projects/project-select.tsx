import { Select } from '@mantine/core';
import { useChangeView } from '../../shell/search-params.ts';
import { useSelectedProject } from './selected-project.ts';

/** Which project the page is about. Choosing another closes what was open of the one before. */
export function ProjectSelect() {
  const { selected, projects } = useSelectedProject();
  const change = useChangeView();
  return (
    <Select
      aria-label="Project"
      placeholder={projects.isPending ? 'Loading projects…' : 'No projects'}
      data={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
      value={selected?.id ?? null}
      onChange={(project) => {
        if (project !== null) change({ project, trace: undefined, step: undefined, view: undefined });
      }}
      disabled={selected === undefined}
      searchable={(projects.data?.length ?? 0) > 8}
      nothingFoundMessage="No project of that name"
      checkIconPosition="right"
      w={220}
      maw="100%"
    />
  );
}
