import { Notifications } from '@mantine/notifications';

/** Where short messages of what was done appear. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
