import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProjectSelect } from '../projects/project-select.tsx';

export function DashboardPage() {
  return (
    <Stack>
      <PageHeader title="Dashboard">
        <ProjectSelect />
      </PageHeader>
    </Stack>
  );
}
