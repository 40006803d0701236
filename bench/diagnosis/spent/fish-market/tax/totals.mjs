export function lineCents({ grams, perKilo }) {
  return Math.round((grams * perKilo) / 1000);
}

export function addLine(totals, line) {
  if (line.voided) return;
  const cents = lineCents(line);
  return { ...totals, [line.rate]: (totals[line.rate] ?? 0) + cents };
}

export function totalsByRate(lines) {
  return lines.reduce(addLine, {});
}
