const lengths = {
  hours: 3_600,
  days: 86_400_000,
  weeks: 604_800_000,
};

export const cents = { hours: 250, days: 1_400, weeks: 5_900 };

export const isUnit = (unit) => Object.hasOwn(lengths, unit);

export function validFor({ unit, amount }) {
  return amount * lengths[unit];
}

export function endOf(pass) {
  return new Date(pass.issuedAt.getTime() + validFor(pass));
}
