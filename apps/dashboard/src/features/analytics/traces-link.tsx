import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../shell/search-params.ts';
import { AnchorLink } from '../../ui/links.tsx';

interface TracesLinkProps {
  /** Which traces. */
  readonly search: ViewChange;
  readonly children: ReactNode;
  /** What the link leads to, where its text is a figure: "Traces of GET /orders". */
  readonly label?: string | undefined;
}

/** To the traces behind a figure. */
export function TracesLink({ search, children, label }: TracesLinkProps) {
  return (
    <AnchorLink to="/dashboard" search={search} inherit aria-label={label}>
      {children}
    </AnchorLink>
  );
}

/** The same around a part of a picture. */
export function DrawnTracesLink({ search, children }: Omit<TracesLinkProps, 'label'>) {
  return (
    <Link to="/dashboard" search={search}>
      {children}
    </Link>
  );
}
