const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Adds hours to a time. Both times are the clinic's local time, like "2026-03-02T08:15". */
export function addHours(time, hours) {
  return new Date(Date.parse(`${time}Z`) + hours * HOUR).toISOString().slice(0, 16);
}

export function nextDay(day) {
  return addHours(`${day}T00:00`, 24).slice(0, 10);
}

export function slotsOfDay({ opens, closes, minutes }, day) {
  const midnight = Date.parse(`${day}T00:00Z`);
  const slots = [];
  for (let time = opens * 60; time + minutes <= closes * 60; time += minutes) {
    slots.push(new Date(midnight + time * MINUTE).toISOString().slice(0, 16));
  }
  return slots;
}
