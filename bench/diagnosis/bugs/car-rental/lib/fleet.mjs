export const vehicles = new Map([
  ['compact', { rate: 38, included: ['insurance'] }],
  ['estate', { rate: 52, included: ['insurance'] }],
  ['van', { rate: 79, included: ['insurance', 'roadside'] }],
  ['cabrio', { rate: 95, included: ['insurance', 'roadside'] }],
  ['minibus', { rate: 110, included: ['insurance'] }],
]);

export const extraPrices = {
  insurance: 9,
  roadside: 4,
  gps: 6,
  childSeat: 5,
  skiRack: 7,
};
