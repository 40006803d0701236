import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

it('has defaults, and takes what is set', () => {
  expect(readSettings({})).toEqual({ port: 3002, visitors: true, release: '1.5.0' });
  const set = { DEMO_PORT: '0', DEMO_TRAFFIC: 'off', DEMO_RELEASE: '1.4.0' };
  expect(readSettings(set)).toEqual({ port: 0, visitors: false, release: '1.4.0' });
});

it.each(['', 'x', '-1', '70000', '3002.5'])('names DEMO_PORT when it is "%s"', (port) => {
  expect(() => readSettings({ DEMO_PORT: port })).toThrow(/^DEMO_PORT is a port number/);
});

it('names DEMO_TRAFFIC when it is neither on nor off', () => {
  expect(() => readSettings({ DEMO_TRAFFIC: 'yes' })).toThrow('DEMO_TRAFFIC is "on" or "off"; not "yes"');
});

it('names DEMO_RELEASE when there is no such release', () => {
  expect(() => readSettings({ DEMO_RELEASE: '2' })).toThrow('DEMO_RELEASE is 1.4.0 or 1.5.0; not "2"');
});
