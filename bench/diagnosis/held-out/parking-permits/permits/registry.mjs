import { setTimeout as delay } from 'node:timers/promises';

const resident = (plate, zone, until) => ({ plate, zone, source: 'city', validUntil: Date.parse(until) });
const company = (plate, zone, exp) => ({ plate, zone, source: 'fleet', validUntil: exp });

const permits = [
  resident('MS-KL 410', 'A', '2031-05-31T23:59:59Z'),
  resident('MS-TT 88', 'A', '2030-12-31T23:59:59Z'),
  resident('MS-B 1207', 'B', '2032-02-28T23:59:59Z'),
  resident('ST-EE 51', 'B', '2031-07-15T23:59:59Z'),
  resident('MS-QX 903', 'A', '2033-01-31T23:59:59Z'),
  // The fleet operator's export, as it arrives each night.
  company('HH-FL 2001', 'A', 1924991999),
  company('HH-FL 2002', 'B', 1924991999),
];

export async function findPermit(plate) {
  await delay(2);
  const wanted = plate.replace(/\s+/g, '').toUpperCase();
  return permits.find((permit) => permit.plate.replace(/\s+/g, '') === wanted);
}
