import { notifications } from '@mantine/notifications';
import { formatToneColour } from '../../shell/theme/tones.ts';

/** Shows a short message that an action succeeded, with any further result. */
export function notifySuccess(message: string, more?: string): void {
  notifications.show({
    color: formatToneColour('green', 'fill'),
    message: (
      <>
        <div>{message}</div>
        {more !== undefined && <div>{more}</div>}
      </>
    ),
  });
}
