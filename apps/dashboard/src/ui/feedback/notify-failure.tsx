import { notifications } from '@mantine/notifications';
import { toneColour } from '../../shell/theme/tones.ts';
import { RemedyLines } from './remedy-lines.tsx';

/** A short message that something was not done, and what to do about the error where the server says it. */
export function notifyFailure(message: string, error?: unknown): void {
  notifications.show({
    color: toneColour('red', 'fill'),
    message: (
      <>
        <div>{message}</div>
        <RemedyLines error={error} />
      </>
    ),
  });
}
