import {
  jsonSpan,
  withResources,
  withSpanMember,
  withSpans,
  withSpansNumbered,
} from '../bodies/otlp-json.ts';
import { buildList, FULL_BYTES, fill, join, listOfNumbered } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { postedForm } from '../posted-forms.ts';

const otlp = postedForm.bind(undefined, 'OTLP JSON');
const HALF = FULL_BYTES / 2;
const attribute = (index: number) => `{"key":"k${index}","value":{"stringValue":"v"}}`;

export const OTLP_JSON: readonly HostileForm[] = [
  otlp('20 million empty spans', () => withSpans(buildList('{}'))),
  otlp('20 million empty spans', () => withSpans(buildList('{}')), 'br'),
  otlp('20 million empty resources', () => withResources(buildList('{}'))),
  otlp('20 million empty scopes', () => withResources(join('[{"scopeSpans":', buildList('{}'), '}]'))),
  otlp('20 million empty events', () => withSpanMember('events', buildList('{}'))),
  otlp('20 million empty links', () => withSpanMember('links', buildList('{}')), 'zstd'),
  otlp('a million attributes', () => withSpanMember('attributes', listOfNumbered(1_000_000, attribute))),
  otlp('20 million empty attributes', () => withSpanMember('attributes', buildList('{}'))),
  otlp('a million lists of values in each other', () =>
    withSpanMember(
      'attributes',
      join('[{"key":"a","value":', fill('{"arrayValue":{"values":[', HALF), fill(']}}', HALF / 9), '}]'),
    ),
  ),
  otlp('a list of 3 million values', () =>
    withSpanMember(
      'attributes',
      join('[{"key":"a","value":{"arrayValue":{"values":', buildList('{"intValue":"1"}'), '}}}]'),
    ),
  ),
  otlp('30 million levels of lists', () => withSpans(join(fill('[', HALF), fill(']', HALF)))),
  otlp('10 million times an unknown member', () => withSpans(join('[{', fill('"a":0,'), '"b":0}]'))),
  otlp('a name of 60 MB', () => withSpanMember('name', join('"', fill('password=x '), '"'))),
  otlp('a start of 55 million digits', () => withSpanMember('startTimeUnixNano', join('"', fill('1'), '"'))),
  otlp('a trace id of 60 MB', () => withSpanMember('traceId', join('"', fill('ab'), '"'))),
  otlp('100,000 trace ids', () =>
    withSpansNumbered(100_000, (index) => jsonSpan({ trace: index, span: index })),
  ),
  otlp('200,000 spans with one id', () =>
    withSpansNumbered(200_000, () => jsonSpan({ trace: 1, span: 1, parent: 2 })),
  ),
  otlp('300,000 spans in a chain of parents', () =>
    withSpansNumbered(300_000, (index) => jsonSpan({ trace: 1, span: index + 1, parent: index })),
  ),
  otlp('200,000 spans in a ring of parents', () =>
    withSpansNumbered(200_000, (index) => jsonSpan({ trace: 1, span: index, parent: (index + 1) % 200_000 })),
  ),
  otlp('20,000 services', () =>
    withResources(
      listOfNumbered(
        20_000,
        (index) =>
          `{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s${index}"}}]},"scopeSpans":[{"spans":[${jsonSpan({ trace: index, span: index })}]}]}`,
      ),
    ),
  ),
  otlp('60 MB of spaces', () => join(fill(' '), '{}')),
];
