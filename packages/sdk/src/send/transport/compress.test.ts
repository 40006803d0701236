import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { answer, Collector, storeAll } from '@throughline/testkit/collector';
import { describe, expect, it } from 'vitest';
import { Exporter } from '../exporter.ts';
import { makeTrace } from '../trace.fixture.ts';
import { compressBody } from './compress.ts';

describe('a body', () => {
  it.each(['', 'x', 'é🎉'.repeat(200_000)])(
    'is unchanged after compression and decompression',
    async (text) => {
      const small = await compressBody(text, false);
      expect(small.encoding).toBe('zstd');
      expect(zstdDecompressSync(small.body).toString()).toBe(text);
      const plain = await compressBody(Buffer.from(text), true);
      expect(plain.encoding).toBe('gzip');
      expect(gunzipSync(plain.body).toString()).toBe(text);
    },
  );

  it('is compressed with gzip once a proxy has refused other encodings', async () => {
    const lines: string[] = [];
    const collector = new Collector();
    await collector.start();
    collector.reply = (response, received, nth) => {
      if (received.headers['content-encoding'] === 'gzip') storeAll(response, received, nth);
      else answer(response, 415, { error: { code: 'unsupported_media_type', message: 'gzip only' } });
    };
    const exporter = new Exporter({
      url: collector.url,
      apiKey: 'tl_test',
      sdk: { name: '@throughline/node', version: '0.0.0' },
      service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
      report: (line) => lines.push(line),
    });
    for (const id of ['a', 'b']) {
      exporter.send(makeTrace(id));
      expect(await exporter.flush()).toBe(true);
    }
    expect(collector.received.map((one) => one.headers['content-encoding'])).toEqual([
      'zstd',
      'gzip',
      'gzip',
    ]);
    expect(new Set(collector.received.slice(0, 2).map((one) => one.headers['idempotency-key'])).size).toBe(1);
    expect(exporter.counters).toEqual({ accepted: 2, rejected: 0, lost: 0 });
    expect(lines).toEqual([]);
    await exporter.shutdown();
    await collector.stop();
  });
});
