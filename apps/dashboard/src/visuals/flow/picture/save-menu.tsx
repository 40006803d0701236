import { Button, Menu, useComputedColorScheme } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { saveFile } from '../../../ui/copying/save-file.ts';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import type { Picture } from './flow-svg.ts';
import { renderPng } from './picture-png.ts';

interface SaveMenuProps {
  readonly svg: (scheme: 'light' | 'dark') => Picture;
}

/** Saves the drawn graph as an SVG or PNG picture. */
export function SaveMenu({ svg }: SaveMenuProps) {
  const scheme = useComputedColorScheme('light');
  const saveSvg = () => saveFile(new Blob([svg(scheme).svg], { type: 'image/svg+xml' }), 'flow.svg');
  const savePng = () =>
    renderPng(svg(scheme)).then(
      (png) => saveFile(png, 'flow.png'),
      () => notifyFailure('Too large for PNG. Save as SVG or collapse some steps.'),
    );
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button size="compact-xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Save
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveSvg}>SVG picture</Menu.Item>
        <Menu.Item onClick={() => void savePng()}>PNG picture</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
