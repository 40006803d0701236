import { expect, test } from 'vitest';
import { findRequestCountry } from './request-country.ts';

test.each([
  ['the header of a proxy', { 'CF-IPCountry': 'fr' }, '193.99.144.80', 'FR'],
  ['the network of the address', {}, '193.99.144.80', 'DE'],
  ['the network of the address if the proxy has no country', { 'cf-ipcountry': 'XX' }, '193.99.144.80', 'DE'],
  ['nothing if the network is private', { 'x-vercel-ip-country': ['US'] }, '10.0.0.1', ''],
  ['nothing without headers and address', undefined, null, ''],
])('the country of a request comes from %s', (_what, headers, address, country) => {
  expect(findRequestCountry(headers, address)).toBe(country);
});
