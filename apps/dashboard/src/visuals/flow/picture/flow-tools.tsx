import { Button, Group, Menu, useComputedColorScheme } from '@mantine/core';
import { IconChevronDown, IconFoldDown, IconFoldUp } from '@tabler/icons-react';
import { saveFile } from '../../../ui/copying/save-file.ts';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import type { FlowFolding } from '../flow-types.ts';
import type { Picture } from './flow-svg.ts';
import classes from './flow-tools.module.css';
import { renderPng } from './picture-png.ts';

interface FlowToolsProps {
  /** There are not too many steps to open them all. */
  readonly canOpenAll: boolean;
  readonly onFold: (rule: FlowFolding['rule']) => void;
  /** The picture as it is opened now. */
  readonly svg: (scheme: 'light' | 'dark') => Picture;
}

/** The actions on the whole flow graph: open or fold everything, save as a picture. */
export function FlowTools({ canOpenAll, onFold, svg }: FlowToolsProps) {
  const scheme = useComputedColorScheme('light');
  const saveSvg = () => saveFile(new Blob([svg(scheme).svg], { type: 'image/svg+xml' }), 'flow.svg');
  const savePng = () =>
    renderPng(svg(scheme)).then(
      (png) => saveFile(png, 'flow.png'),
      () => notifyFailure('Too large for PNG. Save as SVG or collapse some steps.'),
    );
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
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="default"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Save
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={saveSvg}>SVG picture</Menu.Item>
          <Menu.Item onClick={() => void savePng()}>PNG picture</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
