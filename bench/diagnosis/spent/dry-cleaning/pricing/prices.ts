import type { Line } from '../app/order.ts';

const cents: Record<string, number> = { shirt: 420, suit: 2150, coat: 2600, tablecloth: 1180, dress: 1750 };

export function linePrice({ garment, pieces }: Line): number {
  const price = cents[garment];
  if (price === undefined) throw Object.assign(new Error(`we do not clean a ${garment}`), { status: 422 });
  return price * pieces;
}

export function subtotal(lines: Line[]): number {
  return lines.map(linePrice).reduce((sum, price) => sum + price, 0);
}

export function deduct(amount: number, percent: number): number {
  return Math.round((amount * (100 - percent)) / 100);
}
