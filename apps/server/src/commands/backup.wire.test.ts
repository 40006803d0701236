import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import { aTrace, runCommand, sendTraces, spawnServer } from '@throughline/testkit';
import { otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { sceneOfFile } from '@throughline/testkit/scene';
import { dropStores, putStores, storeSettings } from '@throughline/testkit/stores-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';

const scene = sceneOfFile();
let folder: string;
let target: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-wire-'));
  target = join(folder, 'other');
  await putStores(target);
});
afterAll(async () => {
  await dropStores(target);
  await rm(folder, { recursive: true, force: true });
});

test('a backup of external stores restores all data into other external stores', async () => {
  const { server, project, person } = scene;
  const at = new Date();
  const times = [0, 1, 2].map((tens) => new Date(at.getTime() - tens * 600_000).toISOString());
  await sendTraces(
    server,
    project.apiKey,
    times.map((startTime) =>
      aTrace({
        timing: { startTime, duration: 1 },
        flow: [{ stepId: '1', stepName: 'a', startTime, duration: 1, inputs: { text: "tab\t quote' 😀" } }],
      }),
    ),
  );
  await sendSpans(server, project.apiKey, otlpRequest('shop', [otlpSpan(1, undefined), otlpSpan(2, 1)]));
  const secret = { SECRET_KEY: storeSettings(server.dataDir).SECRET_KEY ?? '' };
  const file = join(folder, 'file.backup');
  expect(await runCommand(['backup', file], { dataDir: server.dataDir })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const restored = await runCommand(['restore', file], { dataDir: target, env: secret });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/^Restored 1 account and 4 traces/);
  const twice = await runCommand(['restore', file], { dataDir: target, env: secret });
  expect(twice).toMatchObject({ code: 1 });
  expect(twice.stderr).toMatch(/names has \d+ rows in \w+\. A backup is restored into empty stores only/);

  const other = spawnServer({ dataDir: target, env: { LOG_LEVEL: 'error', ...secret } });
  const client = createClient({ baseUrl: await other.ready(), fetch, token: () => person.token });
  const rows = await scene.list();
  const query = { projectId: project.id };
  expect((await client.call(routes.traces.list, { query })).traces).toEqual(rows);
  for (const { _id: id } of rows) {
    const { trace } = await client.call(routes.traces.read, { params: { id } });
    expect(trace).toEqual(await scene.read(id));
  }
  await other.kill('SIGTERM');
});
