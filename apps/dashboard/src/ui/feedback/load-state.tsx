import { ErrorNotice } from './error-notice.tsx';
import { RowsSkeleton } from './skeletons.tsx';

interface LoadStateProps {
  readonly query: {
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly isFetching: boolean;
    readonly error: Error | null;
    refetch(): unknown;
  };
  /** The rows that load, such as "errors". */
  readonly what: string;
  /** The failure, as a sentence: "The errors could not be loaded." */
  readonly failure: string;
  readonly rows: number;
}

/** Shown above a list: placeholders while the list loads, and the error if loading failed. */
export function LoadState({ query, what, failure, rows }: LoadStateProps) {
  if (query.isPending) return <RowsSkeleton what={what} rows={rows} />;
  if (!query.isError) return null;
  return (
    <ErrorNotice
      what={failure}
      error={query.error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
