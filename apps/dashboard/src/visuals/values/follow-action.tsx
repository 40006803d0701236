import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowGuide } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface FollowActionProps {
  readonly name: string;
  /** True if the Tab key reaches the button. */
  readonly isActive: boolean;
  readonly onFollow: () => void;
}

/** Follows the value through the request. The key `w` does the same, on the button or on the line of a tree of values. */
export function FollowAction({ name, isActive, onFollow }: FollowActionProps) {
  return (
    <Tooltip label="Where did it come from? (w)">
      <ActionIcon
        size={20}
        variant="subtle"
        color="gray"
        tabIndex={isActive ? 0 : -1}
        aria-label={nameFollow(name)}
        onClick={(event) => {
          event.stopPropagation();
          onFollow();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'w' || event.ctrlKey || event.metaKey || event.altKey) return;
          event.stopPropagation();
          onFollow();
        }}
      >
        <IconArrowGuide size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface FollowTextProps extends FollowActionProps {
  /** The shown text of the value, for assistive technology. */
  readonly text: string;
  readonly className: string;
  readonly children: ReactNode;
}

/**
 * A value as a button without an arrow, which follows the value through the request. For places without room for an arrow beside each
 * value.
 */
export function FollowText({ name, text, isActive, onFollow, className, children }: FollowTextProps) {
  return (
    <button
      type="button"
      className={className}
      tabIndex={isActive ? 0 : -1}
      title="Where did it come from?"
      aria-label={`${text}. ${nameFollow(name)}`}
      onClick={onFollow}
    >
      {children}
    </button>
  );
}

function nameFollow(name: string): string {
  return `Where did ${name} come from?`;
}
