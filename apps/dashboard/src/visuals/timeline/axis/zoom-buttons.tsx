import { ActionIcon, Tooltip } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import classes from './axis.module.css';

interface ZoomButtonsProps {
  readonly zoomed: boolean;
  /** Called with the zoom factor; undefined shows the entire duration. */
  readonly onZoom: (by: number | undefined) => void;
}

const IN = 2;
const BUTTONS = [
  { label: 'Zoom out (key -)', Icon: IconZoomOut, by: 1 / IN },
  { label: 'Zoom in (key +)', Icon: IconZoomIn, by: IN },
  { label: 'Show the entire duration (key 0)', Icon: IconZoomReset, by: undefined },
] as const;

/** Buttons that zoom in and out. A disabled button keeps its position and the focus. */
export function ZoomButtons({ zoomed, onZoom }: ZoomButtonsProps) {
  return (
    <span className={classes.zoom}>
      {BUTTONS.map(({ label, Icon, by }) => {
        const isIdle = !zoomed && by !== IN;
        return (
          <Tooltip key={label} label={label}>
            <ActionIcon
              size={24}
              variant="subtle"
              color="gray"
              aria-label={label}
              aria-disabled={isIdle}
              data-disabled={isIdle}
              onClick={() => {
                if (!isIdle) onZoom(by);
              }}
            >
              <Icon size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </span>
  );
}
