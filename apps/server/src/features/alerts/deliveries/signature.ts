import { createHmac } from 'node:crypto';
import { ALERT_HEADERS } from '@throughline/contract';

/** Returns the headers that let a recipient verify a webhook: delivery id, timestamp and signature. */
export function signHeaders(
  secret: string,
  given: { readonly deliveryId: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const seconds = String(Math.floor(given.at.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${seconds}.${given.body}`).digest('hex');
  return {
    [ALERT_HEADERS.delivery]: given.deliveryId,
    [ALERT_HEADERS.timestamp]: seconds,
    [ALERT_HEADERS.signature]: `v1=${signature}`,
  };
}
