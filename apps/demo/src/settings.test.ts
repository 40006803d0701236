import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

it('settings have defaults, and given values are used', () => {
  expect(readSettings({})).toEqual({ port: 3002, visitors: true, release: '1.5.0' });
  const set = { DEMO_PORT: '0', DEMO_TRAFFIC: 'off', DEMO_RELEASE: '1.4.0' };
  expect(readSettings(set)).toEqual({ port: 0, visitors: false, release: '1.4.0' });
});

it.each(['', 'x', '-1', '70000', '3002.5'])('the error names DEMO_PORT if it is "%s"', (port) => {
  expect(() => readSettings({ DEMO_PORT: port })).toThrow(/^DEMO_PORT is a port number/);
});

it('the error names DEMO_TRAFFIC if it is neither on nor off', () => {
  expect(() => readSettings({ DEMO_TRAFFIC: 'yes' })).toThrow('DEMO_TRAFFIC is "on" or "off"; not "yes"');
});

it('the error names DEMO_RELEASE if the release does not exist', () => {
  expect(() => readSettings({ DEMO_RELEASE: '2' })).toThrow('DEMO_RELEASE is 1.4.0 or 1.5.0; not "2"');
});
