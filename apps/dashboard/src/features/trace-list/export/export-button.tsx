import { ActionIcon, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { formatMegabytes } from '@throughline/contract';
import { memo } from 'react';
import type { ListFilters } from '../queries.ts';
import { buildExport } from './exported.ts';
import { useExport } from './use-export.ts';

/** Saves all matching traces with their steps as a file of JSON lines. */
export const ExportButton = memo(({ filters }: { readonly filters: ListFilters }) => {
  const { bytes, start, stop } = useExport(buildExport(filters, 'all', []));
  if (bytes !== undefined) {
    return (
      <Button size="sm" variant="default" onClick={stop}>
        <span role="status">Exporting {formatMegabytes(bytes)}</span>&nbsp;· Stop
      </Button>
    );
  }
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Export these traces"
      title="Export these traces (JSONL)"
      onClick={start}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  );
});
