import { NativeSelect } from '@mantine/core';
import { memo } from 'react';
import { useChangeView } from '../../shell/url-state/search-params.ts';
import { useSelectedProject } from './selected-project.ts';

/** Drop-down list that selects the page's project. Selecting another project closes the open trace of the previous project. */
export const ProjectSelect = memo(() => {
  const selection = useSelectedProject();
  const { shown, known, isMissing } = selection;
  const change = useChangeView();
  const options = (known ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const canChoose = shown !== undefined || (isMissing && options.length > 0);
  return (
    <NativeSelect
      aria-label="Project"
      data={[
        ...(shown === undefined ? [{ value: '', label: describeNone(selection) }] : []),
        ...(canChoose ? options : []),
      ]}
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

/** Describes why no project is selected. */
function describeNone({ known, projects, isMissing }: ReturnType<typeof useSelectedProject>): string {
  if (projects.isError) return 'Not loaded';
  if (known === undefined) return 'Loading…';
  return isMissing ? 'Unknown project' : 'No projects';
}
