const brackets = [
  { from: 0, rate: 0.14 },
  { from: 17_000, rate: 0.24 },
  { from: 66_000, rate: 0.42 },
];

export function taxOn(taxable) {
  return brackets.reduce((tax, { from, rate }, index) => {
    const upTo = Math.min(brackets[index + 1]?.from ?? Infinity, taxable);
    return tax + Math.max(upTo - from, 0) * rate;
  }, 0);
}
