import { setTimeout as sleep } from 'node:timers/promises';
import type { OtlpBatch } from './otlp-batches.ts';

const CONNECTIONS = 16;

/** An OTLP endpoint over HTTP. Only this product requires an API key. */
export interface OtlpTarget {
  readonly url: string;
  readonly apiKey?: string;
}

/** Sends batches as fast as they are acknowledged. @throws Error if a batch is not acknowledged */
export async function sendAll(target: OtlpTarget, batches: readonly OtlpBatch[]): Promise<void> {
  await overConnections(batches, (batch) => sendBatch(target, batch));
}

/**
 * Like `sendAll`, but ends without an error when the receiver exits. Returns the acknowledged batches. Calls `acknowledged` with the number
 * of batches that were acknowledged so far.
 */
export async function sendUntilGone(
  target: OtlpTarget,
  batches: readonly OtlpBatch[],
  acknowledged: (count: number) => void,
): Promise<readonly OtlpBatch[]> {
  const acknowledgedBatches: OtlpBatch[] = [];
  await overConnections(batches, async (batch) => {
    await sendBatch(target, batch);
    acknowledgedBatches.push(batch);
    acknowledged(acknowledgedBatches.length);
  }).catch((error: unknown) => {
    // A TypeError is fetch's error for a broken connection.
    if (!(error instanceof TypeError)) throw error;
  });
  return acknowledgedBatches;
}

async function overConnections(
  batches: readonly OtlpBatch[],
  send: (batch: OtlpBatch) => Promise<void>,
): Promise<void> {
  const queue = [...batches];
  const sendNext = async (): Promise<void> => {
    for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) await send(batch);
  };
  const ends = await Promise.allSettled(Array.from({ length: CONNECTIONS }, sendNext));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function sendBatch(target: OtlpTarget, batch: OtlpBatch): Promise<void> {
  const { url, apiKey } = target;
  const answer = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    },
    body: new Uint8Array(batch.body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  // As OpenTelemetry's exporters do, sends the batch again after a 503, after the delay in Retry-After.
  const waitSeconds = Number(answer.headers.get('retry-after'));
  if (answer.status === 503 && waitSeconds > 0) {
    await sleep(waitSeconds * 1000);
    return sendBatch(target, batch);
  }
  // A partial success reports rejected spans. Some receivers send an empty partial success even if they accepted everything.
  if (answer.status !== 200 || bytes.length > 2)
    throw new Error(`spans were answered ${answer.status}: ${bytes.toString()}`);
}
