import { Group, Text } from '@mantine/core';
import { CopyButton } from '../copying/copy-button.tsx';
import { findRemedy, findRequestId } from './find-remedy.ts';

/** Below a failure's message: what to do about it, and the id under which the server's log has what went wrong there. */
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
          <CopyButton value={requestId} label="Copy request id" />
        </Group>
      )}
    </>
  );
}
