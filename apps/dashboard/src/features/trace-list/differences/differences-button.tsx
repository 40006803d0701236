import { ActionIcon } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { memo } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';

/** Button that shows or hides the panel with the differences between the listed requests and other requests. */
export const DifferencesButton = memo(() => {
  const shown = useViewParams().differences === 'shown';
  const change = useChangeView();
  return (
    <ActionIcon
      variant={shown ? 'light' : 'default'}
      size={36}
      aria-label="What is different?"
      title="What is different about these requests?"
      aria-pressed={shown}
      onClick={() => change({ differences: shown ? undefined : 'shown' }, { replace: true })}
    >
      <IconArrowsDiff size={16} aria-hidden />
    </ActionIcon>
  );
});
