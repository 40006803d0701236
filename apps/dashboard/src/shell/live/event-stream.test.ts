import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader, type StreamEvent } from './event-stream.ts';

const readAll = (text: string): StreamEvent[] => new EventStreamReader().push(text);

describe('server-sent events', () => {
  it.each<[string, string, StreamEvent[]]>([
    ['a named event', 'event: trace\ndata: {"a":1}\n\n', [{ type: 'trace', data: '{"a":1}' }]],
    ['an unnamed event', 'data: x\n\n', [{ type: 'message', data: 'x' }]],
    ['data of several lines', 'data: a\ndata:b\n\n', [{ type: 'message', data: 'a\nb' }]],
    ['heartbeats', ': still here\n\n:\n\n', []],
    ['an event without data', 'event: gap\n\ndata: x\n\n', [{ type: 'message', data: 'x' }]],
    ['an empty line of data', 'event: gap\ndata\n\n', [{ type: 'gap', data: '' }]],
    ['Windows line ends', 'event: trace\r\ndata: x\r\n\r\n', [{ type: 'trace', data: 'x' }]],
    [
      'data with two leading spaces, of which the first is the separator',
      'data:  x: y\n\n',
      [{ type: 'message', data: ' x: y' }],
    ],
    ['ids and unknown fields', 'id: 7\nretry: 5\nfoo: bar\ndata: x\n\n', [{ type: 'message', data: 'x' }]],
    ['an incomplete event', 'data: x\n', []],
  ])('are parsed: %s', (_what, text, events) => {
    expect(readAll(text)).toEqual(events);
  });

  it('are the same for any split into network chunks', () => {
    const event = fc.record({ type: fc.constantFrom('trace', 'gap'), data: fc.json() });
    fc.assert(
      fc.property(
        fc.array(event),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (events, end, sizes) => {
          const text = `${events.map(({ type, data }) => `event: ${type}${end}data: ${data}${end}${end}`).join('')}: end${end}`;
          const reader = new EventStreamReader();
          const read: StreamEvent[] = [];
          for (let at = 0, turn = 0; at < text.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            read.push(...reader.push(text.slice(at, at + size)));
            at += size;
          }
          expect(read).toEqual(events);
        },
      ),
    );
  });

  it('are rejected if an event never ends', () => {
    const reader = new EventStreamReader();
    expect(() => reader.push('x'.repeat(9 * 1024 * 1024))).toThrow('too long');
  });
});
