import { notifications, notificationsStore } from '@mantine/notifications';
import { ApiError } from '@throughline/contract';
import { afterEach, expect, it } from 'vitest';
import { formatToneColour } from '../../shell/theme/tones.ts';
import { notifyFailure } from './notify-failure.tsx';
import { notifySuccess } from './notify-success.tsx';

afterEach(() => notifications.clean());

const readShown = () => notificationsStore.getState().notifications.at(-1);

it('a failure notification is red and closes automatically', () => {
  notifyFailure('The note could not be saved.');
  expect(readShown()?.color).toBe(formatToneColour('red', 'fill'));
  expect(readShown()?.autoClose).toBeUndefined();
});

it('a success notification is green', () => {
  notifySuccess('Saved.');
  expect(readShown()?.color).toBe(formatToneColour('green', 'fill'));
});

it('a notification that contains a request id stays until the user closes the notification', () => {
  notifyFailure('x', new ApiError({ status: 500, code: 'internal', message: 'x', requestId: 'id-1' }));
  expect(readShown()?.autoClose).toBe(false);
});
