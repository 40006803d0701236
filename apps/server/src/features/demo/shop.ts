import { z } from 'zod';
import { AppError } from '../../platform/http/errors.ts';

/** Number of requests in a burst of traffic. The shop requests its own routes for users, posts and health in turn. */
const REQUESTS = 12;
/**
 * Time limit of a burst. It is long enough for a burst into another project: before such a burst, the shop starts another traced process.
 */
const TIMEOUT_MS = 60_000;

const ShopAnswer = z.object({ requests: z.number() });

/**
 * Requests a burst of traffic from the demo shop on this machine. The requests are traced into the shop's own project or, if `into` is
 * given, into that project. Returns the number of requests.
 * @throws AppError `unavailable` if the shop does not run, or failed
 */
export async function requestTraffic(
  demoPort: number,
  into: { readonly url: string; readonly apiKey: string } | undefined,
): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${demoPort}/__traffic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: REQUESTS, ...into }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the demo shop answered ${answer.status}`);
    return ShopAnswer.parse(await answer.json()).requests;
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The demo shop does not respond. The shop takes a few seconds to start. If it does not start, see the output of `npm start`.',
      {
        cause,
      },
    );
  }
}
