/**
 * Sends the shop's recorded history to the project of an API key. Exits when its parent process exits. Reads `THROUGHLINE_URL`,
 * `THROUGHLINE_API_KEY` and `HISTORY_UNTIL`.
 */
import { KeyRefused, replayHistory } from './replay.ts';

const {
  THROUGHLINE_URL: url = '',
  THROUGHLINE_API_KEY: apiKey = '',
  HISTORY_UNTIL: until = '',
} = process.env;

process.once('disconnect', () => process.exit(1));
// Ctrl+C signals the whole process group, but the parent process decides when this process ends.
process.on('SIGINT', () => {});

try {
  await replayHistory({ url, apiKey }, new Date(until));
} catch (error) {
  if (!(error instanceof KeyRefused)) {
    process.stderr.write(
      `The demo's history could not be sent completely. The next start tries again. Reason: ${String(error)}\n`,
    );
  }
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
