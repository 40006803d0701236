import { Link } from '@tanstack/react-router';
import { formatCount } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { FilterLinks } from '../../trace-list/index.ts';
import classes from '../analytics.module.css';
import { findRowFilter } from './row-filter.ts';

interface TracesLinkProps {
  /** Search parameters of the trace list that the link opens. */
  readonly search: ViewChange;
  readonly children: ReactNode;
  /** The accessible name of a link whose text is a figure: "Traces of GET /orders". */
  readonly label?: string | undefined;
  /**
   * True if another link with the same target is next to this link. This link is then skipped by the Tab key and not coloured as a link.
   */
  readonly isTwin?: boolean;
}

/** Links to the counted traces. */
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
  /** The kind of the counted traces, such as "failed". */
  readonly kind?: string;
}

/** Links to the traces of a part of a chart, with the number of these traces. Renders nothing if `count` is 0. */
export function ShowTraces({ count, kind, search }: ShowTracesProps) {
  return (
    count > 0 && (
      <TracesLink search={search}>
        {`Show ${formatCount(count)} ${kind === undefined ? '' : `${kind} `}${count === 1 ? 'trace' : 'traces'}`}
      </TracesLink>
    )
  );
}

/** Shows a row's name as a link to the traces of the row, and an icon as a link to the list without these traces. */
export function NamedTraces({ name, search }: { readonly name: string } & Pick<TracesLinkProps, 'search'>) {
  const filter = findRowFilter(search);
  return (
    <span className={classes.named}>
      <TracesLink search={search}>
        <span className="mono">{escapeControlCharacters(name)}</span>
      </TracesLink>
      {filter !== undefined && <FilterLinks of={filter} search={filter.others} only="out" size={24} />}
    </span>
  );
}

interface DrawnProps {
  /** Undefined if there are no traces. */
  readonly search: ViewChange | undefined;
  readonly children: ReactNode;
  /** True if the same link is next to the chart: the Tab key then skips the link in the chart. */
  readonly isTwin?: boolean;
}

/** Makes a part of a chart, such as a bar, a link to the traces that the part counts. */
export function DrawnTracesLink({ search, children, isTwin = false }: DrawnProps) {
  return search === undefined ? (
    children
  ) : (
    <Link to="/dashboard" search={search} {...(isTwin ? { tabIndex: -1 } : {})}>
      {children}
    </Link>
  );
}
