import { randomInt } from 'node:crypto';

// Lap times in ms, as the transponders sent them.
const TIMES = {
  'sat-1410': { 4: [61210, 59880, 59741, 60015, 60110, 60402, 60377], 7: [60944, 60512, 60388, 60120, 59930, 59904, 59871], 11: [63120, 61870, 61544, 61490, 62050, 61702, 61688] },
  'sat-1440': { 2: [62417, 61008, 60755, 61233, 60690, 61120, 61512], 9: [61875, 60410, 60021, 60230, 60508, 60333, 60790] },
  'sun-1100': { 5: [64200, 62310, 61990, 61720, 61655, 61602, 61590], 6: [61702, 60377, 60190, 60854, 60088, 60520, 61245] },
};
const DRIVERS = { 4: 'Milo', 7: 'Charlotte', 11: 'Deniz', 2: 'Iker', 9: 'Fatima', 5: 'Ola', 6: 'Priya' };

function toLaps(times, startedAt) {
  let at = startedAt;
  return times.map((ms, index) => {
    at += ms;
    return { lap: index + 1, ms, at, rssi: -randomInt(40, 70) };
  });
}

export async function loadHeat(id) {
  const karts = TIMES[id];
  if (!karts) throw Object.assign(new Error('unknown heat'), { status: 404 });
  const startedAt = Date.parse('2025-05-17T14:10:00Z');
  return {
    id,
    startedAt,
    karts: Object.entries(karts).map(([kart, times]) => ({ kart: Number(kart), driver: DRIVERS[kart], laps: toLaps(times, startedAt) })),
  };
}
