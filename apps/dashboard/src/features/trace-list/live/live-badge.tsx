import { ActionIcon } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Tone } from '@throughline/contract';
import type { FeedState } from '../../../shell/live/live-feed.ts';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import classes from '../trace-list.module.css';

const STATES: Readonly<
  Record<FeedState | 'paused', { readonly word: string; readonly tone: Tone; readonly why: string }>
> = {
  connecting: { word: 'Connecting', tone: 'grey', why: 'Connecting to the live feed' },
  live: { word: 'Live', tone: 'green', why: 'New traces appear automatically' },
  reconnecting: { word: 'Reconnecting', tone: 'amber', why: 'Live feed lost. Reconnecting…' },
  paused: { word: 'Paused', tone: 'grey', why: 'Paused. New traces appear when you resume.' },
  full: {
    word: 'Not live',
    tone: 'amber',
    why: 'Too many live lists are open. Close one. Until then, this list updates about once a minute.',
  },
  off: { word: 'Not live', tone: 'red', why: 'The server refused the live feed' },
};

interface LiveBadgeProps {
  readonly state: FeedState | 'paused';
  readonly onPause: (paused: boolean) => void;
}

/** Shows whether new traces appear automatically, with a pause button. */
export function LiveBadge({ state, onPause }: LiveBadgeProps) {
  const { word, tone, why } = STATES[state];
  const paused = state === 'paused';
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  const label = paused ? 'Resume live traces' : 'Pause live traces';
  return (
    <span className={classes.live}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
        onClick={() => onPause(!paused)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
      <span
        role="status"
        className={classes.badge}
        title={why}
        style={{ color: formatToneColour(tone), background: formatToneColour(tone, 'soft') }}
      >
        <span aria-hidden className={`${classes.dot} ${state === 'live' ? classes.beat : ''}`} />
        {word}
      </span>
    </span>
  );
}

/** Empty element that reserves the space of the live badge until the page's list is known. */
export const LiveBadgePlace = () => <span className={classes.live} aria-hidden />;
