/**
 * A host that passes traces to an exporter and then ends in the way that its argument HOW names: `node host.fixture.ts URL HOW`. Runs in
 * its own process.
 */
import { Exporter } from './exporter.ts';
import { makeTrace } from './trace.fixture.ts';

const [, , url = '', how = ''] = process.argv;
const exporter = new Exporter({
  url,
  apiKey: 'tl_test',
  sdk: { name: '@throughline/node', version: '0.0.0' },
  service: { name: 'shop', instance: 'host:1', runtime: 'node' },
  report: (line) => console.error(line),
  // A limit that suffices on a busy machine, because this test is not about the limit.
  exitFlushMs: 20_000,
});
if (how !== 'nothing') exporter.send(makeTrace('last', { password: 'hunter2', text: 'line\nbreak 日本' }));
process.on('exit', () => {
  if (how !== 'leave' && how !== 'hang') exporter.flushSync();
});

// A request without a response is in flight when the host has nothing more to do.
if (how === 'hang') setTimeout(() => {}, 900);
if (how === 'exit') process.exit(3);
if (how === 'crash') throw new Error('the host broke');
if (how === 'exit and count') {
  process.on('exit', () => console.log(JSON.stringify(exporter.counters)));
  process.exit(5);
}
if (how === 'much') {
  // The server responds with an error, so that the next traces wait.
  await exporter.flush(20_000);
  for (let nth = 1; nth <= 12; nth++) exporter.send(makeTrace(`${nth}`, { text: 'x'.repeat(1024 * 1024) }));
  process.on('exit', () => console.log(JSON.stringify(exporter.counters)));
  process.exit(5);
}
if (how === 'under way') {
  // At the exit, the first request has begun and has no response. The same batch is then sent again with the same idempotency key.
  void exporter.flush(60_000);
  setTimeout(() => process.exit(4), 700);
}
