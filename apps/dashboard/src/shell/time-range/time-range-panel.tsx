import { Button, NativeSelect } from '@mantine/core';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactElement } from 'react';
import { SettingsPopover } from '../../ui/layout/settings-popover.tsx';
import { formatStart } from '../../ui/time/relative-time.ts';
import { AbsoluteForm } from './absolute-form.tsx';
import { ALL_TIME, findRelease, type SeenRelease } from './range-label.ts';
import classes from './time-range.module.css';
import { findLastLabel, LAST_RANGES, type TimeRange } from './time-range.ts';

interface TimeRangePanelProps {
  readonly range: TimeRange | undefined;
  readonly releases: readonly SeenRelease[];
  readonly offersAllTime: boolean;
  /** Called with the chosen range; undefined means all time. */
  readonly onChoose: (range: TimeRange | undefined) => void;
  readonly onClose: () => void;
  /** The button that opens this panel. */
  readonly children: ReactElement;
}

/** Panel with the possible ranges: ranges that end now, since a release, or from a start to an end. */
export function TimeRangePanel(props: TimeRangePanelProps) {
  const { range, releases, offersAllTime, onChoose, onClose, children } = props;
  const current = range?.kind === 'instants' && range.to === undefined ? range.from : '';
  return (
    <SettingsPopover label="Time range" opened onChange={onClose} width={300} button={children}>
      <div className={classes.presets}>
        {LAST_RANGES.map((last) => (
          <Preset
            key={last}
            label={findLastLabel(last)}
            isChosen={range?.kind === 'last' && range.last === last}
            onChoose={() => onChoose({ kind: 'last', last })}
          />
        ))}
        {offersAllTime && (
          <Preset label={ALL_TIME} isChosen={range === undefined} onChoose={() => onChoose(undefined)} />
        )}
      </div>
      {releases.length > 0 && (
        <NativeSelect
          size="xs"
          label="Since release"
          value={findRelease(current, releases)?.firstSeen ?? ''}
          data={[
            { value: '', label: 'Choose a release', disabled: true },
            ...releases.map(({ release, firstSeen }) => ({
              value: firstSeen,
              label: `${escapeControlCharacters(release)}, ${formatStart(Date.parse(firstSeen))}`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChoose({ kind: 'instants', from: value, to: undefined })
          }
        />
      )}
      <AbsoluteForm range={range} onChoose={onChoose} />
    </SettingsPopover>
  );
}

interface PresetProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Preset({ label, isChosen, onChoose }: PresetProps) {
  return (
    <Button
      size="compact-sm"
      variant={isChosen ? 'light' : 'subtle'}
      color={isChosen ? 'indigo' : 'gray'}
      justify="flex-start"
      aria-pressed={isChosen}
      {...(isChosen && { 'data-autofocus': true })}
      onClick={onChoose}
    >
      {label}
    </Button>
  );
}
