const MINUTES_PER_KM = 2.5;
const MINUTES_PER_STOP = 6;

export function toMinutes(clock) {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

export function toClock(minutes) {
  const whole = Math.round(minutes);
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

export function drivingMinutes(km) {
  return km * MINUTES_PER_KM;
}

export function handoverMinutes(stopsBefore) {
  return stopsBefore * MINUTES_PER_STOP;
}
