import {
  REQUIRED,
  SMALL_TRACE,
  STEP,
  withBody,
  withMember,
  withOutputs,
  withTraces,
} from '../bodies/native-json.ts';
import { fill, join, listOfNumbered, repeat } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { posted, postedForm } from '../posted-forms.ts';

const native = postedForm.bind(undefined, 'native JSON');
const PACKED_MB = 7.9;

const trace = (change: (required: string) => string) => `{${change(REQUIRED)}}`;
const onPath = (path: string) => trace((required) => required.replace('/orders', path));
const step = (id: string, members: string) => `{"stepId":"${id}",${STEP}${members}}`;

/** Builds a source file with the given number of functions of 60,000 characters each. */
function buildSource(functions: number, unit: string): string {
  const text = unit.repeat(Math.floor(60_000 / unit.length));
  const all = Array.from({ length: functions }, (_one, at) => `{"line":${at + 1},"text":"${text}"}`);
  return `[{"file":"src/a.ts","version":"aB3_-9xyz012","functions":[${all.join(',')}]}]`;
}

function objectOfKeys(count: number): string {
  return `{${Array.from({ length: count }, (_key, index) => `"k${index}":0`).join(',')}},`;
}

/** Bodies that, with a few exceptions, stay just below the limits, so that the server must process them completely. */
export const NATIVE_ADMITTED: readonly HostileForm[] = [
  native('9,900 small traces', () => withTraces(listOfNumbered(9900, () => SMALL_TRACE))),
  native('200,000 small traces', () => withTraces(listOfNumbered(200_000, () => SMALL_TRACE))),
  native('9,900 traces of routes of their own', () =>
    withTraces(
      listOfNumbered(9900, (index) =>
        trace((required) => required.replace('"path":"/orders"', `"path":"/r${index}","route":"/r${index}"`)),
      ),
    ),
  ),
  native('9,900 traces of 8,000 characters of path', () =>
    withTraces(listOfNumbered(7000, (index) => onPath(`/${'p'.repeat(7900)}${index}`))),
  ),
  native('9,900 traces of users of their own', () =>
    withTraces(
      listOfNumbered(9900, (index) => `{${REQUIRED},"user":{"id":"u${index}"},"sessionId":"s${index}"}`),
    ),
  ),
  native('9,900 traces with 90 attributes of names of their own', () =>
    withTraces(
      listOfNumbered(9900, (index) => {
        const attributes = Array.from({ length: 90 }, (_one, at) => `"a${index}.${at}":${at}`).join(',');
        return `{${REQUIRED},"attributes":{${attributes}}}`;
      }),
    ),
  ),
  native('100,000 steps in a chain of parents', () =>
    withMember(
      'flow',
      listOfNumbered(100_000, (index) => step(`${index}`, `,"parentStepId":"${index - 1}"`)),
    ),
  ),
  native('100,000 steps in a ring of parents', () =>
    withMember(
      'flow',
      listOfNumbered(100_000, (index) => step(`${index}`, `,"parentStepId":"${(index + 1) % 100_000}"`)),
    ),
  ),
  native('100,000 steps with one id', () =>
    withMember(
      'flow',
      listOfNumbered(100_000, () => step('same', ',"parentStepId":"same"')),
    ),
  ),
  native('100,000 steps with values', () =>
    withMember(
      'flow',
      listOfNumbered(100_000, (index) =>
        step(`${index}`, `,"inputs":[${index},{"a":"b"}],"outputs":{"c":[1,2,3]}`),
      ),
    ),
  ),
  native('60 MB of source text in 1,000 functions', () => withMember('sources', buildSource(1000, '{'))),
  native('60 MB of source text in literals', () => withMember('sources', buildSource(1000, "a='b',"))),
  native('16 functions of source text', () => withMember('sources', buildSource(16, '{'))),
  native('4.9 million empty objects', () => withOutputs(listOfNumbered(4_900_000, () => '{}'))),
  native('4.9 million decimal numbers', () =>
    withOutputs(listOfNumbered(4_900_000, (index) => `${index % 10}.1`)),
  ),
  native('990 levels of lists, 4,000 times', () =>
    withBody(join('[', repeat(`${'['.repeat(990)}${']'.repeat(990)},`, 4000), '0]')),
  ),
  native(
    '50 objects of 99,000 keys',
    () => withOutputs(join('[', repeat(objectOfKeys(99_000), 50), '0]')),
    'br',
  ),
  native('60,000 numbers of 990 digits', () => withOutputs(join('[', fill(`${'8'.repeat(990)},`), '0]'))),
  native(
    'a text of 7.9 MB',
    () => withOutputs(join('"', fill('ä', PACKED_MB * 1024 * 1024 - 500), '"')),
    'identity',
  ),
  native(
    '7.9 MB of traces',
    () => withTraces(join('[', fill(`${SMALL_TRACE},`, PACKED_MB * 1024 * 1024 - 500), SMALL_TRACE, ']')),
    'identity',
  ),
  posted(
    'native JSON',
    'a small trace with an idempotency key of 8 kB',
    () => Buffer.from(`{"traces":[${SMALL_TRACE}]}`),
    'identity',
    { 'idempotency-key': 'k'.repeat(8000) },
  ),
];
