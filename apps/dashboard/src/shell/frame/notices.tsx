import { Notifications } from '@mantine/notifications';

/** The container of short messages about completed actions. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
