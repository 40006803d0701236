const listed = new Set(['Akita', 'Rottweiler']);

export const baseFee = (breed: string): number => (listed.has(breed) ? 240 : 96);

export const lateFee = (licensedUntil: string, today: string): number => {
  const days = Math.round((Date.parse(today) - Date.parse(licensedUntil)) / 86_400_000);
  return days <= 0 ? 0 : Math.min(5 + Math.floor(days / 30) * 5, 40);
};

export const feeOf = (breed: string, licensedUntil: string, today: string) => {
  const base = baseFee(breed);
  const late = lateFee(licensedUntil, today);
  return { base, late, total: base + late };
};
