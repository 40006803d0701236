import { storesOfFile } from '@throughline/testkit/stores';
import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { deleteBefore } from './store.ts';

const HOUR_MS = 3_600_000;
const stores = storesOfFile();

test("a project's source code is deleted a day later than the traces that can use it, and the source code of other projects stays", async () => {
  const cutoff = new Date('2026-11-01T12:00:00Z');
  const [project, other] = [createId<ProjectId>(), createId<ProjectId>()];
  const row = (of: ProjectId, version: string, hoursBefore: number) =>
    `${of}\tsrc/a.ts\t${version}\t1\tf()\t${((cutoff.getTime() - hoursBefore * HOUR_MS) / 1000).toFixed(6)}\n`;
  await stores.traces.insert(
    'sources',
    ['project_id', 'file', 'version', 'line', 'text', 'stored_at'],
    Buffer.from(
      row(project, 'fresh', -1) +
        row(project, 'used', 23) +
        row(project, 'unused', 25) +
        row(other, 'kept', 25),
    ),
  );
  await deleteBefore(stores.traces, project, cutoff);
  const left = await stores.traces.lines(
    'SELECT version FROM sources WHERE project_id IN {projects:Array(UUID)} ORDER BY version',
    { projects: [project, other] },
  );
  expect(left).toEqual(['fresh', 'kept', 'used']);
});
