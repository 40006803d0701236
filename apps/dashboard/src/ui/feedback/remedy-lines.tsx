import { Text } from '@mantine/core';
import { findRemedy, findRequestId } from './find-remedy.ts';

/** Below a failure's message: what to do about it, and the id under which the server's log has what went wrong there. */
export function RemedyLines({ error }: { readonly error: unknown }) {
  const remedy = findRemedy(error);
  const requestId = findRequestId(error);
  return (
    <>
      {remedy !== undefined && <Text size="sm">{remedy}</Text>}
      {requestId !== undefined && (
        <Text size="xs" c="dimmed">
          Request id <span className="mono">{requestId}</span>
        </Text>
      )}
    </>
  );
}
