import { expect, test } from 'vitest';
import { createSpanId, createTraceId, createUuidV7 } from './ids.ts';

test('ids have the length that W3C requires, in hex digits, and do not repeat', () => {
  const traceIds = Array.from({ length: 2000 }, createTraceId);
  for (const id of traceIds) expect(id).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  expect(new Set(traceIds).size).toBe(2000);
  expect(createSpanId()).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
});

test('a UUIDv7 has its version, its variant and its time, and sorts by time', () => {
  const at = 1_800_000_000_123;
  const ids = Array.from({ length: 500 }, () => createUuidV7(at));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at);
  }
  expect(new Set(ids).size).toBe(500);
  expect(createUuidV7(at + 1) > createUuidV7(at)).toBe(true);
});
