import { describe, expect, it } from 'vitest';
import { unwrapTrace } from './unwrap-trace.ts';

/** Returns the trace JSON from a response that arrives in chunks of `partBytes` bytes. */
async function traceIn(answer: string, partBytes: number): Promise<string> {
  const bytes = new TextEncoder().encode(answer);
  async function* parts() {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.slice(at, at + partBytes);
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of unwrapTrace(parts())) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}

describe('the raw trace response', () => {
  it.each([
    ['{"trace":{"_id":"a"}}', '{"_id":"a"}'],
    ['{"trace":{"name":"Zoë 😀"}}', '{"name":"Zoë 😀"}'],
    ['{"other":{}}', '{"other":{}}'],
    ['{"trace":{"_id"', '{"_id"'],
    ['{"tra', '{"tra'],
    ['', ''],
  ])('is unwrapped to the trace, whatever the size of the network chunks: %s', async (answer, trace) => {
    for (let partBytes = 1; partBytes < 12; partBytes += 1) {
      expect(await traceIn(answer, partBytes)).toBe(trace);
    }
    expect(await traceIn(answer, 1000)).toBe(trace);
  });
});
