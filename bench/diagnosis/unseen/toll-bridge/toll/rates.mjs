const perAxle = { workday: 200, weekend: 300, holiday: 350 };

export function tollFor(kind, axles) {
  const cents = perAxle[kind] * axles;
  return axles >= 5 ? Math.round(cents * 0.9) : cents;
}
