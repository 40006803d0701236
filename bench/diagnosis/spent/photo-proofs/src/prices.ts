const cents: Record<string, number> = { '10x15': 19, '13x18': 39, '20x30': 249, '30x45': 690 };

export function priceOf(format: string, copies: number): number {
  const each = cents[format];
  if (each === undefined) throw Object.assign(new Error(`no format ${format}`), { statusCode: 400 });
  return Math.round(each * copies * (copies >= 50 ? 0.9 : 1));
}
