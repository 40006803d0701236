import { expect, it } from 'vitest';
import { truncateIp } from './truncate-ip.ts';

it.each([
  ['203.0.113.77', '203.0.113.0'],
  [' 203.0.113.77 ', '203.0.113.0'],
  ['::ffff:203.0.113.77', '203.0.113.0'],
  ['2001:db8:aa:bb:cc:dd:ee:ff', '2001:db8:aa::'],
  ['2001:0DB8:00aa::1', '2001:db8:aa::'],
  ['2001:db8::1', '2001:db8:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
  ['::1', '::'],
  ['::1:2:3:4:5:6:7', '0:1:2::'],
  ['64:ff9b::203.0.113.77', '64:ff9b:0::'],
  ['203.0.113.77:8080', ''],
  ['somebody', ''],
  ['', ''],
])('the IP address %s is stored as %s', (address, stored) => {
  expect(truncateIp(address)).toBe(stored);
});
