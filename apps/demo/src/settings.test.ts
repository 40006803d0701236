import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

it('has defaults, and takes what is set', () => {
  expect(readSettings({})).toEqual({ port: 3002, visitors: true });
  expect(readSettings({ DEMO_PORT: '0', DEMO_TRAFFIC: 'off' })).toEqual({ port: 0, visitors: false });
});

it.each(['', 'x', '-1', '70000', '3002.5'])('names DEMO_PORT when it is "%s"', (port) => {
  expect(() => readSettings({ DEMO_PORT: port })).toThrow(/^DEMO_PORT is a port number/);
});

it('names DEMO_TRAFFIC when it is neither on nor off', () => {
  expect(() => readSettings({ DEMO_TRAFFIC: 'yes' })).toThrow('DEMO_TRAFFIC is "on" or "off"; not "yes"');
});
