import { notifications } from '@mantine/notifications';
import { toneColour } from '../../shell/theme/tones.ts';
import { findRequestId } from './find-remedy.ts';
import { RemedyLines } from './remedy-lines.tsx';

/** A short message that something was not done, and what to do about the error where the server says it. */
export function notifyFailure(message: string, error?: unknown): void {
  notifications.show({
    color: toneColour('red', 'fill'),
    // An id has to be copied: the message stays until it is closed.
    ...(findRequestId(error) !== undefined && { autoClose: false }),
    message: (
      <>
        <div>{message}</div>
        <RemedyLines error={error} />
      </>
    ),
  });
}
