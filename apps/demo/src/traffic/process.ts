/** The process that makes traffic: a client of the shop, so that the shop's own process does nothing but serve. Ends with the shop. */
import { sendBurst } from './burst.ts';
import { isTrafficOrder, type TrafficReport } from './messages.ts';
import { keepVisiting } from './steady.ts';

/** The same visits after each start. */
const SEED = 20_260_101;

const end = new AbortController();
process.once('disconnect', () => end.abort());
// Ctrl+C reaches the whole group of processes; the shop says when.
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
