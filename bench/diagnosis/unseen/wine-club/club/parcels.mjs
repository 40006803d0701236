const perPallet = 20;

const labelOf = ({ name, street, town }) => `${name}, ${street}, ${town}`;

export function parcelsFor(account, parts) {
  return parts.map(({ cellar, cases }) => ({
    from: cellar,
    to: labelOf(account),
    cases,
    by: cases >= perPallet ? 'pallet' : 'parcel service',
  }));
}
