const fromShop = { bistro: 3, clinic: 8, hotel: 6, gallery: 3.5, chapel: 11 };

const between = {
  'bistro|gallery': 1,
  'bistro|hotel': 4,
  'bistro|clinic': 7,
  'clinic|hotel': 9,
  'clinic|gallery': 7.5,
  'chapel|clinic': 5,
  'gallery|hotel': 4.5,
  'chapel|hotel': 12,
};

export function legKm(from, to) {
  if (from === null) return fromShop[to] ?? 10;
  return between[[from, to].sort().join('|')] ?? 10;
}
