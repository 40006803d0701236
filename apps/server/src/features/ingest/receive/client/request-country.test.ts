import { expect, test } from 'vitest';
import { countryOfRequest } from './request-country.ts';

test.each([
  ['a proxy in front says', { 'CF-IPCountry': 'fr' }, '193.99.144.80', 'FR'],
  ['the address is registered in', {}, '193.99.144.80', 'DE'],
  ['the address says where the proxy knows nothing', { 'cf-ipcountry': 'XX' }, '193.99.144.80', 'DE'],
  ['nobody knows', { 'x-vercel-ip-country': ['US'] }, '10.0.0.1', ''],
  ['nobody says', undefined, null, ''],
])('the country of a request is what %s', (_what, headers, address, country) => {
  expect(countryOfRequest(headers, address)).toBe(country);
});
