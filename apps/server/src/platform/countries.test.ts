import { expect, test } from 'vitest';
import { describeAddress, findCountry } from './countries.ts';

test.each([
  ['193.99.144.80', 'DE'],
  ['::ffff:193.99.144.80', 'DE'],
  ['2a02:2e0:3fe:1001:302::', 'DE'],
  ['81.2.69.142', 'GB'],
  ['127.0.0.1', undefined],
  ['10.1.2.3', undefined],
  ['192.168.0.7', undefined],
  ['172.31.255.255', undefined],
  ['100.64.0.1', undefined],
  ['203.0.113.7', undefined],
  ['255.255.255.255', undefined],
  ['fd00::1', undefined],
  ['2001:db8::1', undefined],
  ['::', undefined],
  ['::1', undefined],
  ['fe80::1%eth0', undefined],
  ['command line', undefined],
  ['999.1.1.1', undefined],
  ['', undefined],
])('the country of the IP address %s is %s', (address, country) => {
  expect(findCountry(address)).toBe(country);
});

test('two addresses with the same first 24 bits get different countries if the table splits their network, in any order of lookups', () => {
  for (const _round of [1, 2]) {
    expect(findCountry('40.90.26.254')).toBe('US');
    expect(findCountry('40.90.26.1')).toBe('IN');
  }
});

test('an invalid address in a cached network has no country', () => {
  expect(findCountry('193.99.144.80')).toBe('DE');
  expect(findCountry('193.99.144.81')).toBe('DE');
  expect(findCountry('193.99.144.800')).toBeUndefined();
});

test('an address is shown with its country if the country is known', () => {
  expect(describeAddress('193.99.144.80')).toBe('193.99.144.80 (Germany)');
  expect(describeAddress('192.168.0.7')).toBe('192.168.0.7');
});
