import {
  SMALL_TRACE,
  withBody,
  withHeaders,
  withMember,
  withOutputs,
  withStepMember,
  withTraces,
} from '../bodies/native-json.ts';
import { buildList, FULL_BYTES, fill, join, numbered, repeat } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { postedForm } from '../posted-forms.ts';

const native = postedForm.bind(undefined, 'native JSON');
const HALF = FULL_BYTES / 2;

/** Bodies with excessive numbers of values, levels, keys or members. */
export const NATIVE_STRUCTURE: readonly HostileForm[] = [
  native('20 million empty traces', () => withTraces(buildList('{}'))),
  native('20 million empty traces', () => withTraces(buildList('{}')), 'br'),
  native('20 million empty traces', () => withTraces(buildList('{}')), 'zstd'),
  native('30 million numbers as traces', () => withTraces(buildList('0'))),
  native('20 million lists as traces', () => withTraces(buildList('[]'))),
  native('12 million nulls as traces', () => withTraces(buildList('null')), 'br'),
  native('8 million traces of a wrong request', () => withTraces(buildList('{"a":1}'))),
  native('a million traces that lack a time', () =>
    withTraces(buildList('{"request":{"method":"GET","path":"/a"}}')),
  ),
  native('30 million levels of lists', () => withBody(join(fill('[', HALF), fill(']', HALF)))),
  native('30 million levels of lists', () => withBody(join(fill('[', HALF), fill(']', HALF))), 'br'),
  native('60 million lists that never end', () => withBody(fill('['))),
  native('12 million objects that never end', () => withBody(fill('{"a":'))),
  native('8 million levels of objects', () => withBody(join(fill('{"a":', HALF), '1', fill('}', HALF / 5)))),
  native('20 million empty steps', () => withMember('flow', buildList('{}'))),
  native('20 million empty steps', () => withMember('flow', buildList('{}')), 'br'),
  native('15 million texts of a letter', () => withOutputs(buildList('"a"'))),
  native('a million keys in a step', () =>
    withStepMember('variables', join('{"capturedAt":"exit","localVariables":{', keys(1_000_000), '"z":0}}')),
  ),
  native('a million attributes', () => withMember('attributes', join('{', keys(1_000_000), '"z":0}'))),
  native('10 million times the same key', () => withOutputs(join('{', fill('"a":0,'), '"a":0}'))),
  native('2 million unknown members', () => join('{', keys(2_000_000), '"traces":[]}')),
  native('10 million times an unknown member', () => join('{', fill('"a":0,'), '"traces":[]}')),
  native('5 million lists of traces', () => join('{', fill('"traces":[],'), `"traces":[${SMALL_TRACE}]}`)),
  native('4 million keys of prototypes', () => withOutputs(join('{', fill('"__proto__":0,'), '"a":0}'))),
  native('a key of 60 MB', () => withOutputs(join('{"', fill('k'), '":1}'))),
  native('a Map of 6 million entries', () =>
    withOutputs(join('{"$type":"Map","size":1,"entries":', buildList('["a",1]'), '}')),
  ),
  native('a million Maps in each other', () =>
    withOutputs(
      join(repeat('{"$type":"Map","size":1,"entries":[["a",', 1_000_000), '1', repeat(']]}', 1_000_000)),
    ),
  ),
  native('a Set of 20 million tagged values', () =>
    withOutputs(join('{"$type":"Set","size":1,"values":', buildList('{"$type":"hole"}'), '}')),
  ),
  native('a million request headers', () => withHeaders(join('{', keys(1_000_000), '"z":0}'))),
  native('60 MB of spaces', () => join(fill(' '), withTraces(`[${SMALL_TRACE}]`))),
  native('60 MB of line ends', () => join(withTraces(`[${SMALL_TRACE}]`), fill('\n')), 'zstd'),
  native('60 MB that end in the middle', () => withTraces(join('[', fill(`${SMALL_TRACE},`)))),
];

function keys(count: number) {
  return numbered(count, (index) => `"k${index}":0,`);
}
