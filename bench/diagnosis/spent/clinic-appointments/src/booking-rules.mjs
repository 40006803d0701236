const DEFAULT_LEAD_HOURS = 24;
const SHOWN_SLOTS = 6;

export function leadHours(doctor) {
  return doctor.leadHours || DEFAULT_LEAD_HOURS;
}

export function shownSlots(doctor) {
  return doctor.minutes > 20 ? SHOWN_SLOTS / 2 : SHOWN_SLOTS;
}
