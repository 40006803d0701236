const cabins = {
  first: { factor: 2.5, minimum: 1500 },
  business: { factor: 1.75, minimum: 1000 },
  premium: { factor: 1.25, minimum: 750 },
  economy: { factor: 1, minimum: 500 },
  saver: { factor: 0.5, minimum: 125 },
};

const cabinOfClass = {
  F: 'first', A: 'first',
  J: 'business', C: 'business', D: 'business', Z: 'business',
  G: 'premium', E: 'premium', W: 'premium-economy',
  Y: 'economy', B: 'economy', M: 'economy', H: 'economy',
  L: 'saver', T: 'saver', K: 'saver',
};

export function ruleFor(bookingClass) {
  const cabin = cabinOfClass[bookingClass] ?? 'economy';
  const rule = cabins[cabin];
  return rule;
}
