import { NativeSelect } from '@mantine/core';
import { memo } from 'react';
import { useChangeView } from '../../shell/search-params.ts';
import { useSelectedProject } from './selected-project.ts';

/** Which project the page is about. Choosing another closes what was open of the one before. */
export const ProjectSelect = memo(() => {
  const { shown, known } = useSelectedProject();
  const change = useChangeView();
  return (
    <NativeSelect
      aria-label="Project"
      data={
        shown === undefined
          ? [{ value: '', label: known === undefined ? 'Loading projects…' : 'No projects' }]
          : (known ?? []).map(({ id, name }) => ({ value: id, label: name }))
      }
      value={shown?.id ?? ''}
      onChange={({ currentTarget: { value: project } }) =>
        change({ project, trace: undefined, step: undefined, view: undefined })
      }
      disabled={shown === undefined}
      w={220}
      maw="100%"
    />
  );
});
