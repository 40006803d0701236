import { Code, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import notice from '../../../ui/feedback/notice.module.css';
import classes from './first-trace.module.css';

/** Lists what to check if no trace arrives, most likely causes first. */
export function NothingArrives({ publicUrl }: { readonly publicUrl: string | undefined }) {
  return (
    <div className={notice.plain}>
      <IconInfoCircle size={18} aria-hidden className={notice.mark} />
      <div className={notice.words}>
        <Text fw={600} size="sm">
          Nothing has arrived yet. Check these:
        </Text>
        <ol className={classes.checks}>
          <li>Did you restart the app with the second command and send it a request?</li>
          <li>
            Set <Code>THROUGHLINE_DEBUG=1</Code> as well. The app then logs what is traced, what is not, and
            how the server responds.
          </li>
          {publicUrl !== undefined && (
            <li>
              Can the app's machine reach this server? <Code>curl {publicUrl}/api/health/live</Code>
            </li>
          )}
          <li>Does the app use this project's current key?</li>
        </ol>
      </div>
    </div>
  );
}
