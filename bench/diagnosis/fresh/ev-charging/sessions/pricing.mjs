import { Receipt } from './receipt.mjs';

export function idleMinutes(minutes, after) {
  return Math.max(0, minutes - after);
}

export function computeUsage(session, { meterStop, stoppedAt }) {
  const kwh = Math.round((meterStop - session.meterStart) * 10) / 10;
  const minutes = Math.round((Date.parse(stoppedAt) - Date.parse(session.startedAt)) / 60_000);
  if (kwh < 0 || minutes < 0) throw Object.assign(new Error('the meter ran backwards'), { statusCode: 422 });
  return { kwh, minutes };
}

export function priceSession(usage, tariff) {
  const { start, kwh, idle, idleAfter, currency = 'EUR' } = { ...tariff };
  return new Receipt()
    .add('Start', 1, 'session', start)
    .add('Energy', usage.kwh, 'kWh', kwh)
    .add('Idle', idleMinutes(usage.minutes, idleAfter), 'min', idle)
    .seal(currency);
}
