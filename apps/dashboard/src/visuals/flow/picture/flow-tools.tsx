import { Button, Group } from '@mantine/core';
import { IconFoldDown, IconFoldUp } from '@tabler/icons-react';
import type { FlowFolding } from '../flow-types.ts';
import type { Picture } from './flow-svg.ts';
import classes from './flow-tools.module.css';
import { SaveMenu } from './save-menu.tsx';

interface FlowToolsProps {
  /** False if there are too many steps to open them all. */
  readonly canOpenAll: boolean;
  readonly onFold: (rule: FlowFolding['rule']) => void;
  /** Draws the graph with the entries that are currently open. */
  readonly svg: (scheme: 'light' | 'dark') => Picture;
}

/** The actions for the whole flow graph: expand all, collapse all, save as a picture. */
export function FlowTools({ canOpenAll, onFold, svg }: FlowToolsProps) {
  return (
    <Group gap={4} data-toolbar className={classes.tools ?? ''}>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconFoldDown size={14} aria-hidden />}
        disabled={!canOpenAll}
        onClick={() => onFold('all')}
      >
        Expand all
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconFoldUp size={14} aria-hidden />}
        onClick={() => onFold('none')}
      >
        Collapse all
      </Button>
      <SaveMenu svg={svg} />
    </Group>
  );
}
