import { Link } from '@tanstack/react-router';
import { formatCount } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';

interface TracesLinkProps {
  /** Which traces. */
  readonly search: ViewChange;
  readonly children: ReactNode;
  /** The accessible name of a link whose text is a figure: "Traces of GET /orders". */
  readonly label?: string | undefined;
  /** A link to the same stands beside it: nobody needs to walk through both, nor to see both as links. */
  readonly isTwin?: boolean;
}

/** To the traces behind a figure. */
export function TracesLink({ search, children, label, isTwin = false }: TracesLinkProps) {
  return (
    <AnchorLink
      to="/dashboard"
      search={search}
      inherit
      aria-label={label}
      {...(isTwin ? { tabIndex: -1, c: 'inherit' } : {})}
    >
      {children}
    </AnchorLink>
  );
}

interface ShowTracesProps extends Pick<TracesLinkProps, 'search'> {
  readonly count: number;
  /** Which these are of those that were counted: "failed". */
  readonly kind?: string;
}

/** To so many traces behind a part of a chart; nothing where there are none. */
export function ShowTraces({ count, kind, search }: ShowTracesProps) {
  return (
    count > 0 && (
      <TracesLink search={search}>
        {`Show ${formatCount(count)} ${kind === undefined ? '' : `${kind} `}${count === 1 ? 'trace' : 'traces'}`}
      </TracesLink>
    )
  );
}

/** To the traces of what a row is about, by its name. */
export function NamedTraces({ name, search }: { readonly name: string } & Pick<TracesLinkProps, 'search'>) {
  return (
    <TracesLink search={search}>
      <span className="mono">{escapeControlCharacters(name)}</span>
    </TracesLink>
  );
}

interface DrawnProps {
  /** Undefined: there are none. */
  readonly search: ViewChange | undefined;
  readonly children: ReactNode;
  /** The same link stands beside the picture: nobody needs to walk through both. */
  readonly isTwin?: boolean;
}

/** To the traces behind a part of a picture. */
export function DrawnTracesLink({ search, children, isTwin = false }: DrawnProps) {
  return search === undefined ? (
    children
  ) : (
    <Link to="/dashboard" search={search} {...(isTwin ? { tabIndex: -1 } : {})}>
      {children}
    </Link>
  );
}
