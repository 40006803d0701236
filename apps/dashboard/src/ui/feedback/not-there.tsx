import { ApiError } from '@throughline/contract';
import type { ReactNode } from 'react';
import { ButtonLink } from '../layout/links.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';

/** True if the resource does not exist or belongs to somebody else (the server does not distinguish), or if the URL has an invalid id. */
export function isNotThere(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_failed');
}

interface NotThereProps {
  /** The kind of the missing resource, such as "Trace". */
  readonly what: string;
  /** The title, such as "There is no such trace here". */
  readonly title: string;
  /** The page that lists existing resources, and the label of the link to that page. */
  readonly to: '/dashboard' | '/projects' | '/public';
  readonly others: string;
  /** One sentence with the possible reasons why the resource is missing. */
  readonly children: ReactNode;
}

/** The page for something that does not exist, or that the viewer may not see. */
export function NotThere({ what, title, to, others, children }: NotThereProps) {
  return (
    <>
      <PageHeader title={`${what} not found`} />
      <EmptyState
        title={title}
        action={
          <ButtonLink to={to} size="xs" variant="default">
            {others}
          </ButtonLink>
        }
      >
        {children}
      </EmptyState>
    </>
  );
}

interface PageFailureProps {
  /** The failed action, as a sentence such as "The project could not be loaded." */
  readonly what: string;
  /** The page's main query. */
  readonly query: { readonly error: Error | null; readonly isFetching: boolean; refetch(): unknown };
  readonly notThere: ReactNode;
}

/** Shown instead of a page's content that could not be loaded: not found, or an error with a retry. */
export function PageFailure({ what, query, notThere }: PageFailureProps) {
  if (isNotThere(query.error)) return notThere;
  return (
    <ErrorNotice
      what={what}
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
