import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';

/** In place of a page about a project that was deleted or is somebody else's: from outside both look alike. */
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
