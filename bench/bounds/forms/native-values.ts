import { buildHostileText } from '@throughline/testkit/secrets';
import {
  REQUIRED,
  STEP,
  withBody,
  withMember,
  withOutputs,
  withStepMember,
  withTraces,
} from '../bodies/native-json.ts';
import { buildList, FULL_BYTES, fill, join, repeat } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { postedForm } from '../posted-forms.ts';

const native = postedForm.bind(undefined, 'native JSON');
const LARGE = 55 * 1024 * 1024;
const MB = 1024 * 1024;

/** Builds a hostile input with a string that makes a secret detector backtrack. */
function secretLike(name: string, bytes: number, encoding?: 'br' | 'zstd'): HostileForm {
  return native(
    `${Math.round(bytes / 1024)} kB of ${name}`,
    () => withBody(JSON.stringify(buildHostileText(name, bytes))),
    encoding,
  );
}

/** Bodies whose values are expensive to parse or check: numbers, escapes, strings, times. */
export const NATIVE_VALUES: readonly HostileForm[] = [
  native('2.9 million numbers of 20 digits', () => withOutputs(buildList('12345678901234567890'))),
  native('2.5 million decimal numbers', () => withOutputs(buildList('0.1234567890123456789012'))),
  native('5 million huge exponents', () => withOutputs(buildList('1e999999999'))),
  native('a number of 55 million digits', () => withOutputs(fill('7', LARGE))),
  native('an exponent of 55 million digits', () => withOutputs(join('1e', fill('7', LARGE)))),
  native('60,000 numbers of 900 digits', () => withOutputs(buildList('9'.repeat(900)))),
  native('a number of 55 million digits as a duration', () =>
    withTraces(join(`[{${REQUIRED.replace('"duration":1}', '"duration":1')}`, fill('0', LARGE), '}}]')),
  ),
  native('55 MB of backslashes', () => withOutputs(join('"', fill('\\\\', LARGE), '"'))),
  native('55 MB of backslashes', () => withOutputs(join('"', fill('\\\\', LARGE), '"')), 'br'),
  native('55 MB of escaped quotes', () => withOutputs(join('"', fill('\\"', LARGE), '"'))),
  native('9 million escaped control characters', () => withOutputs(join('"', fill('\\u0000', LARGE), '"'))),
  native('9 million halves of characters', () => withOutputs(join('"', fill('\\ud800', LARGE), '"'))),
  native('JSON in JSON in JSON, escaped', () =>
    withBody(join('"', fill('{\\"a\\":\\"{\\\\\\"password\\\\\\":', LARGE), '"')),
  ),
  native('a text of 60 MB', () => withOutputs(join('"', fill('a'), '"'))),
  native('a text of 60 MB in an error stack', () =>
    withStepMember('error', join('{"message":"m","stack":"', fill('\\n    at a (/b.js:1:1)'), '"}')),
  ),
  native('a message of 60 MB', () =>
    withMember('error', join('{"hasError":true,"errorMessage":"', fill('id 17 failed, '), '"}')),
  ),
  native('bytes of 40 MB in base64', () =>
    withOutputs(join('{"$type":"Buffer","size":1,"base64":"', fill('QUJD'), '"}')),
  ),
  native('60 MB that are no UTF-8', () => withOutputs(join('"', fill(Buffer.from([0xff, 0xc3, 0x28])), '"'))),
  native('a start time of 55 million digits', () =>
    withTraces(
      join(
        '[{"request":{"method":"GET","path":"/"},"timing":{"startTime":"2026-01-01T00:00:00.',
        fill('1', LARGE),
        'Z","duration":1}}]',
      ),
    ),
  ),
  native('100,000 steps with long names', () =>
    withMember(
      'flow',
      join(
        '[',
        repeat(`{"stepId":"1",${STEP.replace('charge', 'n'.repeat(400))}},`, 99_999),
        `{"stepId":"z",${STEP}}]`,
      ),
    ),
  ),
  native('900 addresses of 65 kB', () =>
    withTraces(
      buildList(
        `{${REQUIRED.replace('"path":"/orders"', `"path":"/a","url":"http://a/?${'a=%25&'.repeat(10_000)}"`)}}`,
        FULL_BYTES - 70_000,
      ),
    ),
  ),
  secretLike('"-eyJ" repeated', 64 * 1024),
  secretLike('"-eyJ" repeated', 256 * 1024),
  secretLike('"-eyJ" repeated', 40 * MB, 'br'),
  secretLike('"password=" repeated', 20 * MB),
  secretLike('"://a:b" repeated', 20 * MB),
  secretLike('"@" repeated', 20 * MB),
  secretLike('"4111 " repeated', 20 * MB),
  secretLike('"-----BEGIN PRIVATE KEY-----" repeated', 20 * MB),
  secretLike('"Bearer " repeated', 20 * MB),
  secretLike('"<a" repeated', 20 * MB, 'zstd'),
  secretLike('"\\\\\\"password\\\\\\":\\\\\\"" repeated', 10 * MB),
];
