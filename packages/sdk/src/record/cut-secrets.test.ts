import { describe, expect, it } from 'vitest';
import { takeSnapshots } from '../api/validate-arguments.ts';
import { findOperation } from '../frameworks/graphql/operation.ts';
import { BodyTap } from '../http/messages/body.ts';
import { findErrorInAnswer } from '../http/trace/graphql-request.ts';
import { createStepSpan } from '../otel/spans/function-span.ts';
import { maskSql } from '../otel/spans/sql.ts';
import { StepTracerProvider } from '../otel/tracer.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';
import { describeError, formatStackWithCauses } from './snapshot/error.ts';

const KEY = 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2';

/** Returns a text in which a cut at `limit` leaves 16 characters of a key. */
function longText(limit: number): string {
  const before = 'see the note, '.repeat(Math.ceil(limit / 14)).slice(0, limit - 17);
  return `${before} ${KEY} and more of the text`.padEnd(limit + 2000, ' more');
}

function errorWith(fields: object): Error {
  return Object.assign(new Error('failed'), fields);
}

const tracer = new StepTracerProvider().getTracer('test');

/** Ways to put a long text into a trace. The SDK cuts the text at the limit that is passed to `longText`. */
const PLACES: Readonly<Record<string, (recording: Recording) => unknown>> = {
  string: (recording) => recording.snapshot(longText(defaultLimits.stringLength)),
  'string in a list': (recording) => recording.snapshot([longText(defaultLimits.stringLength)]),
  'key of an object': (recording) => recording.snapshot({ [longText(defaultLimits.stringLength)]: 1 }),
  'pattern of a regular expression': (recording) =>
    recording.snapshot(new RegExp(longText(defaultLimits.stringLength))),
  'description of a symbol': (recording) => recording.snapshot(Symbol(longText(60))),
  'key that is a symbol': (recording) => recording.snapshot({ [Symbol(longText(60))]: 1 }),
  'message of a captured error': (recording) => recording.snapshot(new Error(longText(1000))),
  'stack of a captured error': (recording) =>
    recording.snapshot(Object.assign(new Error('short'), { stack: longText(1400) })),
  'message of an error': ({ shorten }) => describeError(new Error(longText(1000)), shorten),
  'thrown string': ({ shorten }) => describeError(longText(1000), shorten),
  'name of an error': ({ shorten }) => describeError(errorWith({ name: longText(100) }), shorten),
  'code of an error': ({ shorten }) => describeError(errorWith({ code: longText(100) }), shorten),
  'object as the message of an error': ({ shorten }) =>
    describeError(errorWith({ message: { note: longText(200) } }), shorten),
  'key in the message of an error': ({ shorten }) =>
    describeError(errorWith({ message: { [longText(200)]: 1 } }), shorten),
  'stack of an error': ({ shorten }) => formatStackWithCauses(errorWith({ stack: longText(4000) }), shorten),
  'cause of an error': ({ shorten }) =>
    formatStackWithCauses(errorWith({ stack: 'short', cause: longText(1000) }), shorten),
  'name of a span': () => tracer.startSpan(longText(1000)).end(),
  'later name of a span': () => tracer.startSpan('a').updateName(longText(1000)).end(),
  'name of an attribute of a span': () => tracer.startSpan('a').setAttribute(longText(1000), 1).end(),
  'content of a message': () =>
    tracer
      .startSpan('send', {
        attributes: { 'messaging.system': 'x', 'messaging.message.body': longText(4096) },
      })
      .end(),
  'name of an attribute of a function': (recording) => {
    const step = recording.open({ name: 'f', type: 'function' });
    if (step !== null) createStepSpan(recording, step).setAttribute(longText(1000), 1);
  },
  'name of a value of the host': (recording) => takeSnapshots(recording, [[longText(1000), 1]], 'setUser'),
  'comment in a statement': ({ shorten }) => maskSql(`SELECT 1 -- ${longText(7988)}`, 'standard', shorten),
  'operation of a GraphQL document': ({ shorten }) =>
    findOperation(document(longText(100)), undefined, shorten),
  'field of a GraphQL document': ({ shorten }) =>
    findOperation(document(undefined, longText(100)), undefined, shorten),
  'error of a GraphQL response': ({ shorten }) =>
    findErrorInAnswer({ query: '{ me }' }, { errors: [{ message: longText(1000) }] }, shorten),
  'code of a GraphQL error': ({ shorten }) =>
    findErrorInAnswer(
      { query: '{ me }' },
      { errors: [{ message: 'a', extensions: { code: longText(100) } }] },
      shorten,
    ),
  'body of a request': ({ shorten }) => {
    const tap = new BodyTap(1000);
    tap.add(longText(1000), undefined);
    return tap.view('text/plain', undefined, shorten);
  },
};

function document(name: string | undefined, field = 'me'): unknown {
  return {
    definitions: [
      {
        kind: 'OperationDefinition',
        operation: 'query',
        ...(name !== undefined && { name: { value: name } }),
        selectionSet: { selections: [{ name: { value: field } }] },
      },
    ],
  };
}

describe('a key that is cut in two', () => {
  it.each(Object.entries(PLACES))('is not readable in the %s', async (_place, show) => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const shown = await runRecording(recording, async () => show(recording));
    const json = JSON.stringify([shown, recording.finish().flow]);
    expect(json).not.toContain('ghp_');
    expect(json).toContain('redacted');
  });

  it('is not readable in the name of a step for an HTTP call with a long URL', async () => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const attributes = { 'http.request.method': 'GET', 'url.full': longText(994).replaceAll(' ', '/') };
    await runRecording(recording, async () => tracer.startSpan('GET', { kind: 2, attributes }).end());
    const [step] = recording.finish().flow;
    expect(step?.stepName).toMatch(/^GET see\/.*‹redacted›$/);
  });

  it('is not readable in the bytes of a buffer', () => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const shownBytes = Math.floor(defaultLimits.stringLength / 4) * 3;
    expect(recording.snapshot(Buffer.from(longText(shownBytes)))).toEqual({
      $type: 'redacted',
      of: 'Buffer',
    });
    const ordinary = Buffer.from(longText(shownBytes).replace(KEY, 'ghp and other words of the same length'));
    expect(recording.snapshot(ordinary)).toMatchObject({ $type: 'Buffer', size: ordinary.length });
    recording.drop();
  });

  it('is hidden in the rest of the trace, too', () => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    recording.snapshot(longText(defaultLimits.stringLength));
    expect([...recording.finish().secrets]).toContain(KEY);
  });
});

it('a long text without secrets is cut at the limit, but not inside a character', () => {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const text = `${'x'.repeat(defaultLimits.stringLength - 1)}😀${'y'.repeat(2000)}`;
  expect(recording.snapshot(text)).toEqual({
    $type: 'string',
    value: 'x'.repeat(defaultLimits.stringLength - 1),
    length: text.length,
  });
  expect(recording.shorten(text, defaultLimits.stringLength)).toBe(
    'x'.repeat(defaultLimits.stringLength - 1),
  );
  recording.drop();
});
