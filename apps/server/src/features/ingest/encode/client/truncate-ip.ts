import { isIP } from 'node:net';

/** Truncates an address for storage: IPv4 to its /24, IPv6 to its /48; anything else becomes empty. */
export function truncateIp(address: string): string {
  const bare = address.trim().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  const plain = mapped ?? bare;
  switch (isIP(plain)) {
    case 4:
      return plain.replace(/\.\d+$/, '.0');
    case 6:
      return formatNetwork48(plain);
    default:
      return '';
  }
}

function formatNetwork48(address: string): string {
  const first = expandGroups(address)
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return first.every((group) => group === '0') ? '::' : `${first.join(':')}::`;
}

/** Returns the eight groups of an IPv6 address. An IPv4 tail becomes two groups of 0, because only the first three groups are used. */
function expandGroups(address: string): string[] {
  const [head = [], tail = []] = address
    .replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':')));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}
