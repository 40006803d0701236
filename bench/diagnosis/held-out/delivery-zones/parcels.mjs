const tours = {
  monday1: [['1010', 40], ['1020', 35], ['1030', 20]],
  monday2: [['1040', 60], ['1050', 45]],
  tuesday1: [['1060', 80], ['1010', 30]],
  tuesday2: [['1020', 50], ['1050', 50], ['1060', 25]],
  wednesday1: [['1030', 70], ['1040', 40]],
  wednesday2: [['1010', 20], ['1239', 130]],
};

export function listParcels(tour) {
  return (tours[tour] ?? []).flatMap(([postcode, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${tour}-${postcode}-${at}`, postcode, weightKg: 1 + (at % 9) })),
  );
}
