import { NativeSelect } from '@mantine/core';
import { useChangeView } from '../../shell/search-params.ts';
import { useSelectedProject } from './selected-project.ts';

/** Which project the page is about. Choosing another closes what was open of the one before. */
export function ProjectSelect() {
  const { selected, projects } = useSelectedProject();
  const change = useChangeView();
  return (
    <NativeSelect
      aria-label="Project"
      data={
        selected === undefined
          ? [{ value: '', label: projects.isPending ? 'Loading projects…' : 'No projects' }]
          : (projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))
      }
      value={selected?.id ?? ''}
      onChange={({ currentTarget: { value: project } }) =>
        change({ project, trace: undefined, step: undefined, view: undefined })
      }
      disabled={selected === undefined}
      w={220}
      maw="100%"
    />
  );
}
