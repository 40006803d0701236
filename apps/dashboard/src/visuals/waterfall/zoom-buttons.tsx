import { ActionIcon, Tooltip } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import classes from './waterfall.module.css';

interface ZoomButtonsProps {
  readonly zoomed: boolean;
  /** By how much; undefined: all is shown again. */
  readonly onZoom: (by: number | undefined) => void;
}

const IN = 2;
const BUTTONS = [
  { label: 'Zoom in (+)', Icon: IconZoomIn, by: IN },
  { label: 'Zoom out (-)', Icon: IconZoomOut, by: 1 / IN },
  { label: 'Show the whole time (0)', Icon: IconZoomReset, by: undefined },
] as const;

/** Shows less of the time, or more where that is possible. */
export function ZoomButtons({ zoomed, onZoom }: ZoomButtonsProps) {
  return (
    <span className={classes.zoom}>
      {BUTTONS.filter(({ by }) => zoomed || by === IN).map(({ label, Icon, by }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon size={24} variant="subtle" color="gray" aria-label={label} onClick={() => onZoom(by)}>
            <Icon size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  );
}
