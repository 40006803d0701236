import { ShopClient } from './shop-client.ts';

const AT_ONCE = 4;

/** Sends requests for users, posts and health in a fixed order, at most `AT_ONCE` at a time. Returns the number of responses. */
export async function sendBurst(baseUrl: string, requests: number, signal: AbortSignal): Promise<number> {
  const shop = new ShopClient({
    baseUrl,
    userAgent: 'throughline-demo-traffic',
    pace: async () => {},
    signal,
  });
  let started = 0;
  let answered = 0;
  const sendRest = async (): Promise<void> => {
    while (started < requests && !signal.aborted) {
      const number = started;
      started += 1;
      await shop.get(chooseBurstPath(number));
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests) }, sendRest));
  return answered;
}

function chooseBurstPath(number: number): string {
  const round = Math.floor(number / 6);
  const paths = [
    '/users?limit=10',
    '/posts',
    '/health',
    `/users/${1 + (round % 40)}`,
    `/posts/${1 + (round % 10)}`,
    // Requests a user that does not exist, so that some responses are errors.
    round % 3 === 0 ? '/users/404404' : '/users?limit=3',
  ];
  return paths[number % paths.length] ?? '/health';
}
