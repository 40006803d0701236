const LIMITS = {
  residential: { l10: 65 },
  mixed: { l10: 75 },
  industrial: { l10: 95 },
};

export function findLimit(zone) {
  return LIMITS[zone].l10;
}

export function verdict(level, limit) {
  if (level > limit) return { passed: false, excess: level - limit };
  return { passed: true, excess: 0 };
}
