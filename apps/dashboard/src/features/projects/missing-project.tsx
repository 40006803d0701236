import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';

/** Shown if the project in the URL was deleted or is not the viewer's. */
export function MissingProject() {
  return (
    <EmptyState
      title="Project not found"
      action={
        <ButtonLink to="/projects" size="xs" variant="default">
          All projects
        </ButtonLink>
      }
    >
      That project doesn’t exist or you don’t have access.
    </EmptyState>
  );
}
