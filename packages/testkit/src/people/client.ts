import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Client, createClient } from '@throughline/contract';

/** Creates the product's own client, which also checks that each JSON response has exactly the keys that its route declares. */
export function createCheckedClient(baseUrl: string, token: () => string | null): Client {
  const client = createClient({ baseUrl, token, fetch: globalThis.fetch });
  const call: Client['call'] = async (route, input) => {
    const answer = await client.call(route, input);
    const declared = route.answer.parse(answer);
    if (!isDeepStrictEqual(declared, answer)) {
      throw new Error(
        `${route.method} ${route.path} answered what it does not declare: ${JSON.stringify(answer)}`,
      );
    }
    return answer;
  };
  return { call, open: client.open };
}

/** Returns the error with which a request fails. Throws if the request succeeds. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}
