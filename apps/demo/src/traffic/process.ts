/**
 * The process that makes traffic. It is separate from the shop's process, so that making traffic takes no CPU time of the shop's process.
 * Exits with the shop.
 */
import { sendBurst } from './burst.ts';
import { isTrafficOrder, type TrafficReport } from './messages.ts';
import { keepVisiting } from './steady.ts';

/** Fixed seed, so that the visits are the same after each start. */
const SEED = 20_260_101;

const end = new AbortController();
process.once('disconnect', () => end.abort());
// Ctrl+C signals the whole process group, but the shop decides when this process ends.
process.on('SIGINT', () => {});
process.on('message', (message) => {
  if (!isTrafficOrder(message)) return;
  if (message.type === 'keep-visiting') {
    void keepVisiting(message.url, SEED, end.signal);
    return;
  }
  const { id, url, requests } = message;
  sendBurst(url, requests, end.signal).then(
    (answered) => report({ type: 'burst-sent', id, requests: answered }),
    (error: unknown) => report({ type: 'burst-failed', id, reason: String(error) }),
  );
});

function report(message: TrafficReport): void {
  if (process.connected) process.send?.(message);
}
