import { NativeSelect } from '@mantine/core';
import { memo } from 'react';
import { useChangeView } from '../../shell/url-state/search-params.ts';
import { useSelectedProject } from './selected-project.ts';

/** Select for the page's project. Selecting another project closes whatever is open from the previous project. */
export const ProjectSelect = memo(() => {
  const { shown, known, projects, isMissing } = useSelectedProject();
  const change = useChangeView();
  const options = (known ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const none = projects.isError
    ? 'Projects not loaded'
    : known === undefined
      ? 'Loading projects…'
      : isMissing
        ? 'Unknown project'
        : 'No projects';
  const canChoose = shown !== undefined || (isMissing && options.length > 0);
  return (
    <NativeSelect
      aria-label="Project"
      data={[...(shown === undefined ? [{ value: '', label: none }] : []), ...(canChoose ? options : [])]}
      value={shown?.id ?? ''}
      onChange={({ currentTarget: { value: project } }) => {
        if (project !== '') change({ project, trace: undefined, step: undefined, view: undefined });
      }}
      disabled={!canChoose}
      w={220}
      maw="100%"
    />
  );
});
