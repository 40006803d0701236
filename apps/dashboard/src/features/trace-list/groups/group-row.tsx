import { IconAlertTriangle } from '@tabler/icons-react';
import {
  formatCount,
  formatDuration,
  formatRate,
  type GroupField,
  type TraceGroup,
} from '@throughline/contract';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { describeTrend } from '../../../visuals/charts/describe-trend.ts';
import { Sparkline } from '../../../visuals/charts/sparkline.tsx';
import type { MarkedRange } from '../../../visuals/charts/time-marks.ts';
import { formatPace } from './format-pace.ts';
import { formatGroup } from './group-names.ts';
import classes from './groups.module.css';
import { openGroup } from './open-group.ts';

interface GroupRowProps {
  readonly field: GroupField;
  readonly group: TraceGroup;
  /** True if the group's requests fail clearly more often than the requests of the other groups. */
  readonly unusual: boolean;
  /** The releases to mark. */
  readonly marked: MarkedRange | undefined;
}

export function GroupRow({ field, group, unusual, marked }: GroupRowProps) {
  const { term, count, errors, errorRate, perMinute, p95Duration, firstSeen, lastSeen, counts } = group;
  const name = formatGroup(field, group);
  return (
    <tr className={classes.row}>
      <td className={`${classes.name} ${group.value === null ? classes.absent : ''}`} title={name}>
        {term === null ? (
          name
        ) : (
          <AnchorLink to="." search={(before) => openGroup(before, term)} className={classes.link ?? ''}>
            {name}
          </AnchorLink>
        )}
      </td>
      <td className={classes.count} data-unit={count === 1 ? 'request' : 'requests'}>
        {formatCount(count)}
      </td>
      <td className={classes.trend}>
        <Sparkline label={describeTrend(counts)} values={counts} tone="grey" marked={marked} />
      </td>
      <td className={`${classes.number} ${classes.wide}`}>{formatPace(perMinute)}</td>
      <td
        className={classes.errors}
        title={unusual ? 'Fails more often than the other requests' : undefined}
        style={unusual ? { color: formatToneColour('red') } : undefined}
      >
        {unusual && (
          <IconAlertTriangle size={12} role="img" aria-label="Fails more often than the other requests" />
        )}
        <span className={classes.failed} data-unit={errors === 1 ? 'error' : 'errors'}>
          {formatCount(errors)}
        </span>
        {errors > 0 && <span className={classes.share}>{formatRate(errorRate)}</span>}
      </td>
      <td className={classes.p95} data-name="P95">
        {formatDuration(p95Duration)}
      </td>
      <td className={`${classes.time} ${classes.wide}`}>
        <Timestamp at={firstSeen} />
      </td>
      <td className={`${classes.time} ${classes.wide}`}>
        <Timestamp at={lastSeen} />
      </td>
    </tr>
  );
}
