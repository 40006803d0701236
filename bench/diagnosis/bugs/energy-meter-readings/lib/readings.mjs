import { findMeter, lastReading, saveReading } from './meters.mjs';

const prices = { kWh: 0.31, m3: 1.12 };

function reject(status, message) {
  throw Object.assign(new Error(message), { status });
}

function runsBackwards(previous, reading) {
  return reading.value < previous.value;
}

function usageCost(meter, previous, reading) {
  const used = reading.value - previous.value;
  return { used, cost: Math.round(used * prices[meter.unit] * 100) / 100 };
}

export async function submitReading(meterId, { date, value }) {
  if (!/^\d{1,6}$/.test(value)) reject(400, 'a reading has up to six digits');
  const meter = await findMeter(meterId);
  if (!meter) reject(404, 'unknown meter');
  const previous = lastReading(meter);
  const reading = { date, value };
  if (date <= previous.date) reject(409, 'there is a later reading');
  if (runsBackwards(previous, reading)) reject(422, 'reading is lower than the previous one');
  await saveReading(meter, reading);
  return { meter: meter.id, unit: meter.unit, since: previous.date, ...usageCost(meter, previous, reading) };
}
