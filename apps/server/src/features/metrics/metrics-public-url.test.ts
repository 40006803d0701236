import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';

const TOKEN = 'a-token-of-24-characters';
const file = serverOfFile({ env: { METRICS_TOKEN: TOKEN, PUBLIC_URL: 'https://trace.example' } });

const readStatus = async (headers: Readonly<Record<string, string>>) =>
  (await fetch(`${file.server.url}/metrics`, { headers })).status;

test('metrics need the token also on the same machine if the public URL names another host', async () => {
  expect(await readStatus({})).toBe(404);
  expect(await readStatus({ authorization: 'Bearer a-wrong-token-of-24-chars' })).toBe(404);
  expect(await readStatus({ authorization: `Bearer ${TOKEN}` })).toBe(200);
});
