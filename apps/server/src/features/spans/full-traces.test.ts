import { TRACE_LIMITS } from '@throughline/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { FullTraces } from './full-traces.ts';
import { formatKey } from './store.ts';
import { TraceSizes } from './trace-sizes.ts';

const MAX = TRACE_LIMITS.traceSpans.max;
const key = { projectId: createId<ProjectId>(), traceId: 'ab'.repeat(16) };

let sizes: TraceSizes;
let full: FullTraces;
beforeEach(() => {
  sizes = new TraceSizes();
  full = new FullTraces(sizes, 1000);
});

function setSpans(spans: number, nowMs: number): void {
  sizes.setCounted(formatKey(key), { rows: spans, spans }, 0);
  full.changed(key, nowMs);
}

describe('a trace', () => {
  test('is full from its last span on, for its own project', () => {
    setSpans(MAX - 1, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set());
    sizes.addSpans(formatKey(key), 1);
    full.changed(key, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set([key.traceId]));
    expect(full.idsOf(createId<ProjectId>())).toEqual(new Set());
  });

  test('is no longer full after a query found fewer spans', () => {
    setSpans(MAX, 0);
    setSpans(7, 0);
    expect(full.idsOf(key.projectId)).toEqual(new Set());
  });

  test('is counted again after spans were rejected, but not for each rejection', () => {
    setSpans(MAX, 0);
    full.rejected([key], 999);
    expect(full.takeDue(10, 999)).toEqual([]);
    for (let sent = 0; sent < 100; sent += 1) full.rejected([key], 1000);
    expect(full.takeDue(10, 1000)).toEqual([key]);
    full.rejected([key], 1999);
    expect(full.takeDue(10, 1999)).toEqual([]);
    full.rejected([key], 2000);
    expect(full.takeDue(10, 2000)).toEqual([key]);
  });

  test('is not counted again if it has room before its turn', () => {
    setSpans(MAX, 0);
    full.rejected([key], 1000);
    setSpans(7, 1000);
    expect(full.takeDue(10, 1000)).toEqual([]);
  });
});
