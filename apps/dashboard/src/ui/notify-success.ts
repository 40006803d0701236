import { notifications } from '@mantine/notifications';

/** A short message that something was done. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green' });
}
