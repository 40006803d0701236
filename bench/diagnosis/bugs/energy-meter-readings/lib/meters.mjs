const meters = new Map([
  ['M-301', { id: 'M-301', unit: 'kWh', readings: [{ date: '2025-01-01', value: '4210' }] }],
  ['M-302', { id: 'M-302', unit: 'kWh', readings: [{ date: '2025-01-01', value: '1780' }] }],
  ['M-303', { id: 'M-303', unit: 'm3', readings: [{ date: '2025-01-01', value: '985' }] }],
  ['M-304', { id: 'M-304', unit: 'kWh', readings: [{ date: '2025-01-01', value: '52310' }] }],
  ['M-305', { id: 'M-305', unit: 'm3', readings: [{ date: '2025-01-01', value: '311' }] }],
]);

export async function findMeter(id) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return meters.get(id);
}

export function lastReading(meter) {
  return meter.readings[meter.readings.length - 1];
}

export async function saveReading(meter, reading) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  meter.readings.push(reading);
}
