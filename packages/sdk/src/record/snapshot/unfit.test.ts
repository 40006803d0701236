import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { record, stepNamed, traced } from '../../../test/traced.ts';
import { CaptureRules } from '../capture/capture-rules.ts';
import { defaultLimits } from '../capture/limits.ts';

const limits = { ...defaultLimits, requestBytes: 8000 };
const large = Array.from({ length: 100 }, (_, nth) => `a text with more characters than a marker, ${nth}`);

/** Returns a snapshotter of a request whose bytes are used up. */
function spent(rules?: CaptureRules) {
  const snapshotter = plainSnapshotter(limits, rules);
  for (let step = 0; step < 3; step++) {
    snapshotter.beginStep();
    snapshotter.take(large, []);
  }
  snapshotter.beginStep();
  return snapshotter;
}

const uuid = '0b6f8a52-1d4e-4b8a-9f5e-7c2d3e4f5a6b';
const small = [7, -1.5, true, false, null, 'ada', uuid, { $type: 'undefined' }];

test.each(small)(
  'a value that is smaller than a marker is shown after the bytes are used up (%j)',
  (value) => {
    const host = typeof value === 'object' && value !== null ? undefined : value;
    const snapshotter = spent();
    for (let nth = 0; nth < 1000; nth++) expect(snapshotter.take(host, [])).toEqual(value);
  },
);

test('a value that is larger than a marker is cut after the bytes are used up', () => {
  for (const [of, value] of [
    ['string', 'x'.repeat(100)],
    ['string', '\u0001'.repeat(20)],
    ['object', { a: 1 }],
  ])
    expect(spent().take(value, [])).toMatchObject({ $type: 'cut', of, reason: 'bytes' });
});

test('a secret is redacted after the bytes are used up', () => {
  const rules = new CaptureRules(new Redactor());
  expect(JSON.stringify(spent(rules).take('Bearer c2VjcmV0LXRva2VuLTEyMw', []))).not.toContain('c2Vj');
});

test('a limit of 0 bytes hides all values', () => {
  for (const name of ['stepBytes', 'requestBytes']) {
    const snapshotter = plainSnapshotter({ ...defaultLimits, [name]: 0 });
    snapshotter.beginStep();
    expect(snapshotter.take('ada', [])).toEqual({ $type: 'cut', of: 'string', reason: 'bytes' });
  }
});

test('errors show their messages after the bytes are used up, until the reserved bytes are used up, too', () => {
  const snapshotter = plainSnapshotter({ ...defaultLimits, requestBytes: 80_000 });
  const take = (value: unknown) => {
    snapshotter.beginStep();
    return JSON.stringify(snapshotter.take(value, []));
  };
  let bytes = 0;
  for (let step = 0; step < 20; step++) bytes += take(large).length;
  const shown = Array.from({ length: 100 }, (_, nth) => take(new Error(`no author ${nth}`)));
  const errors = shown.filter((json) => json.includes('no author'));
  expect(shown[0]).toContain('no author 0');
  expect(errors.length).toBeLessThan(100);
  expect(bytes + errors.join('').length).toBeLessThan(80_000);
});

test('a failed function and its failed callers show their values although the bytes of the request are used up', async () => {
  const { main } = traced(
    `function load(list) { return list.length }
function find(order, options) { const wanted = { id: order.id, note: 'tea' }; throw new Error('no order ' + wanted.id) }
async function serve(request) { return find({ id: request.query.id }, { strict: true }) }
exports.main = async function main(large) {
  for (let nth = 0; nth < 40; nth++) load(large.map((text) => text + nth));
  return serve({ query: { id: 'o-7' } });
}`,
  );
  const { flow } = await record(() => main?.(large), 'all', { ...limits, requestBytes: 32_000 });
  expect(stepNamed(flow, 'find').variables).toMatchObject({
    parameters: { order: { id: 'o-7' }, options: { strict: true } },
    localVariables: { wanted: { id: 'o-7', note: 'tea' } },
  });
  expect(stepNamed(flow, 'serve').variables).toMatchObject({
    parameters: { request: { query: { id: 'o-7' } } },
  });
});
