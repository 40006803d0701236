import { notifications } from '@mantine/notifications';
import { toneColour } from '../../shell/theme/tones.ts';

/** Shows a short message that an action succeeded, with any further result. */
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
