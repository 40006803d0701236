import { expect, test } from 'vitest';
import { type Options, readSettings } from '../config/options.ts';
import { CapturePolicy } from './capture-policy.ts';

const policy = (options: Options = {}) => new CapturePolicy(readSettings(options, {}, () => {}));
const samples = (one: CapturePolicy) => one.samples({ method: 'GET', url: '/', headers: {} });

test('an option that the host sets overrides the project’s setting; without the option, the project’s setting applies', () => {
  const open = policy();
  expect([open.capture, samples(open), open.heedsRemote]).toEqual(['all', true, true]);
  open.follow({ capture: 'structure', sampleRate: 0 });
  expect([open.capture, samples(open)]).toEqual(['structure', false]);
  open.follow({ capture: 'off' });
  expect([open.capture, samples(open)]).toEqual(['off', true]);
  open.follow({});
  expect([open.capture, samples(open)]).toEqual(['all', true]);

  const chosen = policy({ capture: 'structure', sampleRate: 0 });
  chosen.follow({ capture: 'all', sampleRate: 1 });
  expect([chosen.capture, samples(chosen), chosen.heedsRemote]).toEqual(['structure', false, false]);
  expect(policy({ capture: 'all' }).heedsRemote).toBe(true);
});

test("nothing is recorded while paused, whatever the project's settings", () => {
  const one = policy();
  one.paused = true;
  one.follow({ capture: 'all' });
  expect([one.capture, one.heedsRemote]).toEqual(['off', false]);
  one.paused = false;
  expect(one.capture).toBe('all');
});
