import { escapeControlCharacters } from '@throughline/contract/captured';
import { useStore, ViewportPortal } from '@xyflow/react';
import { memo } from 'react';
import type { Lane } from '../layout/layout-types.ts';
import classes from './function-graph.module.css';

/** Minimum width, in pixels on the page, of a lane that shows its name. */
const MIN_NAMED_PX = 72;

/** The bands behind the cards, each with the name of its file or service. */
export const LaneBands = memo(({ lanes }: { readonly lanes: readonly Lane[] }) => (
  <ViewportPortal>
    {lanes.map((lane, index) => (
      <div
        key={lane.name}
        className={classes.lane}
        data-lane={lane.name}
        data-odd={index % 2 === 1}
        style={{ transform: `translateX(${lane.x}px)`, width: lane.width, height: lane.height }}
      />
    ))}
    {lanes.map((lane) => (
      <LaneName key={lane.name} lane={lane} />
    ))}
  </ViewportPortal>
));

/** Shows the name above its lane, or at the top of the canvas while the lane's top is above the visible part. */
function LaneName({ lane }: { readonly lane: Lane }) {
  const isShown = useStore(({ transform }) => lane.width * transform[2] >= MIN_NAMED_PX);
  const top = useStore(({ transform: [, y, zoom] }) => (y >= 0 ? 0 : Math.min(-y / zoom, lane.height)));
  if (!isShown) return null;
  const name = escapeControlCharacters(lane.name);
  return (
    <div
      className={classes.laneName}
      title={name}
      style={{
        width: lane.width,
        transform: `translate(${lane.x}px, ${top}px)${top === 0 ? ' translateY(-100%)' : ''}`,
      }}
    >
      <span>{name}</span>
    </div>
  );
}
