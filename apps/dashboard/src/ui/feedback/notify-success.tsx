import { notifications } from '@mantine/notifications';
import { toneColour } from '../../shell/theme/tones.ts';

/** A short message that something was done, and what came of it besides. */
export function notifySuccess(message: string, more?: string): void {
  notifications.show({
    color: toneColour('green', 'fill'),
    message: (
      <>
        <div>{message}</div>
        {more !== undefined && <div>{more}</div>}
      </>
    ),
  });
}
