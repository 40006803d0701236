import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';

/**
 * Shown instead of a project's page if the project was deleted or belongs to somebody else; the server sends the same response in both
 * cases.
 */
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
