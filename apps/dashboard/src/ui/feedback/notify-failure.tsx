import { notifications } from '@mantine/notifications';
import { formatToneColour } from '../../shell/theme/tones.ts';
import { findRequestId } from './find-remedy.ts';
import { RemedyLines } from './remedy-lines.tsx';

/** Shows a short message that an action failed, and the remedy if the server described one. */
export function notifyFailure(message: string, error?: unknown): void {
  notifications.show({
    color: formatToneColour('red', 'fill'),
    // The user has to copy the id, so the message stays until it is closed.
    ...(findRequestId(error) !== undefined && { autoClose: false }),
    message: (
      <>
        <div>{message}</div>
        <RemedyLines error={error} />
      </>
    ),
  });
}
