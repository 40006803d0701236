import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { z } from 'zod';

/** 8 MB, from the regional registries by way of nro.net (CC BY 4.0): where an address is registered, not where somebody sits. */
const TABLE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const Found = z.object({ country_code: z.string().regex(/^[A-Z]{2}$/) });

/** Addresses that are nobody's on the Internet (RFC 6890): the table has countries for some of them. */
const RESERVED = {
  ipv4: '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ipv6: '::/127 100::/64 2001:db8::/32 fc00::/7 fe80::/10 ff00::/8',
} as const;
const reserved = new BlockList();
for (const kind of ['ipv4', 'ipv6'] as const) {
  for (const range of RESERVED[kind].split(' ')) {
    const [network = '', prefix] = range.split('/');
    reserved.addSubnet(network, Number(prefix), kind);
  }
}

/** Opened with the first address that is asked for (20 ms); nothing is asked of any other machine. */
let table: Reader<never> | undefined;

/** So many networks are remembered. */
const MAX_REMEMBERED = 10_000;
/** Bits of the networks that are remembered: all of {@link RESERVED} and most of the table's are no smaller. */
const REMEMBERED_BITS = 24;
const remembered = new Map<string, string | undefined>();

/** The country (ISO 3166-1, two letters) that a network address is registered in; undefined for private and unknown ones. 5 µs, for a network met before a tenth. */
export function countryOf(address: string): string | undefined {
  // An IPv4 address as a socket for both kinds shows it.
  const plain = address.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address;
  const version = isIP(plain);
  if (version === 0) return undefined;
  if (version === 6) return findCountry(plain, 'ipv6').country;
  const network = plain.slice(0, plain.lastIndexOf('.'));
  if (remembered.has(network)) return remembered.get(network);
  const { country, bits } = findCountry(plain, 'ipv4');
  if (bits > REMEMBERED_BITS) return country;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(network, country);
  return country;
}

/** `bits`: so many first bits of an address have this country. */
function findCountry(
  address: string,
  kind: 'ipv4' | 'ipv6',
): { readonly country: string | undefined; readonly bits: number } {
  if (reserved.check(address, kind)) return { country: undefined, bits: REMEMBERED_BITS };
  table ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(TABLE)));
  const [found, bits] = table.getWithPrefixLength(address);
  const read = Found.safeParse(found);
  return { country: read.success ? read.data.country_code : undefined, bits };
}

const names = new Intl.DisplayNames('en', { type: 'region' });

/** An address as a person is told of it: `193.99.144.80 (Germany)`, or the address alone. */
export function describeAddress(address: string): string {
  const country = countryOf(address);
  return country === undefined ? address : `${address} (${names.of(country) ?? country})`;
}
