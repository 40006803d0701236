import { BlockList, isIPv4 } from 'node:net';

/** IPv4 networks that are private, link-local, loopback or reserved (RFC 6890). */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * All public IPv6 addresses are within `OPEN_V6`. `CLOSED_V6` lists the networks within `OPEN_V6` that embed IPv4 addresses or are not
 * routed.
 */
const OPEN_V6 = '2000::/3';
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const closedV4 = buildList(CLOSED_V4, 'ipv4');
const openV6 = buildList([OPEN_V6], 'ipv6');
const closedV6 = buildList(CLOSED_V6, 'ipv6');

function buildList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** True for an address on the public internet. IPv6 addresses that embed an IPv4 address are not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4');
  // Only link-local addresses have a zone, as in fe80::1%eth0.
  if (address.includes('%')) return false;
  return openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}
