import { Group, Text } from '@mantine/core';
import { CopyTextButton } from '../copying/copy-text-button.tsx';
import { findRemedy, findRequestId } from './find-remedy.ts';

/** Shown below an error message: what to do, and the id of the error in the server's log. */
export function RemedyLines({ error }: { readonly error: unknown }) {
  const remedy = findRemedy(error);
  const requestId = findRequestId(error);
  return (
    <>
      {remedy !== undefined && <Text size="sm">{remedy}</Text>}
      {requestId !== undefined && (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" miw={0} style={{ overflowWrap: 'anywhere' }}>
            Request id <span className="mono">{requestId}</span>
          </Text>
          <CopyTextButton value={requestId} label="Copy request id" size="compact-xs" />
        </Group>
      )}
    </>
  );
}
