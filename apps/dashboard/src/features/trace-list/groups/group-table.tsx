import type { GroupField, GroupSort, TraceGroups } from '@throughline/contract';
import { useRef } from 'react';
import { useMarkedRange } from '../../../shell/time-range/release-marks.ts';
import { useChangeView, ViewParams } from '../../../shell/url-state/search-params.ts';
import { useNarrowerThan } from '../../../ui/hooks/use-narrower-than.ts';
import { SortHeading } from '../../../ui/tables/sort-heading.tsx';
import { GROUP_NAMES } from './group-names.ts';
import { GroupRow } from './group-row.tsx';
import { TALL_PX } from './group-table-waiting.tsx';
import classes from './groups.module.css';
import { failsUnusually } from './unusual-failures.ts';

interface GroupTableProps {
  /** Undefined for a list of all projects. */
  readonly projectId: string | undefined;
  readonly found: TraceGroups;
  readonly groupBy: GroupField;
  readonly sort: GroupSort;
  /** True while the groups for changed filters load: the table still shows the groups for the previous filters. */
  readonly stale: boolean;
}

/** The table of groups. Each row is a link to the group's requests. */
export function GroupTable({ projectId, found, groupBy, sort, stale }: GroupTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const tall = useNarrowerThan(table, TALL_PX);
  const change = useChangeView();
  const { intervals } = found;
  const marked = useMarkedRange(projectId, intervals[0]?.from, intervals.at(-1)?.to);
  const choose = (groupSort: GroupSort) =>
    change(ViewParams.pick({ groupSort: true }).parse({ groupSort }), { replace: true });
  const heading = (name: string, of: GroupSort) => (
    <SortHeading
      name={name}
      numeric
      order={of === sort ? 'descending' : undefined}
      onChoose={() => choose(of)}
    />
  );
  return (
    <table
      ref={table}
      className={classes.table}
      aria-label={`Traces by ${GROUP_NAMES[groupBy].field.toLowerCase()}`}
      aria-busy={stale}
      data-tall={tall}
      data-stale={stale}
    >
      <thead>
        <tr className={classes.head}>
          <th scope="col">{GROUP_NAMES[groupBy].field}</th>
          {heading('Requests', 'count')}
          <th scope="col">Over time</th>
          <th scope="col" className={classes.wide} data-numeric>
            Rate
          </th>
          {heading('Errors', 'errors')}
          {heading('P95', 'p95')}
          <th scope="col" className={classes.wide}>
            First seen
          </th>
          <th scope="col" className={classes.wide}>
            Last seen
          </th>
        </tr>
      </thead>
      <tbody>
        {found.groups.map((group) => (
          <GroupRow
            key={`${group.method} ${group.value}`}
            field={groupBy}
            group={group}
            unusual={failsUnusually(group, found)}
            marked={marked}
          />
        ))}
      </tbody>
    </table>
  );
}
