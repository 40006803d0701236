import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Shell } from './setup-commands.ts';

const onWindows = () => /windows/i.test(navigator.userAgent);

/** State of the chosen shell; initially the shell of the viewer's operating system. */
export function useShell() {
  return useState<Shell>(() => (onWindows() ? 'powershell' : 'posix'));
}

interface ShellChoiceProps {
  readonly shell: Shell;
  readonly onChange: (shell: Shell) => void;
}

export function ShellChoice({ shell, onChange }: ShellChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Shell"
      value={shell}
      onChange={onChange}
      data={[
        { value: 'posix', label: 'macOS, Linux' },
        { value: 'powershell', label: 'PowerShell' },
      ]}
    />
  );
}
