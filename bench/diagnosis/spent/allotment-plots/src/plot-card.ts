import type { Plot } from './plot-repository.ts';

function yearlyRent({ squareMetres, water }: Plot): number {
  return Math.round(squareMetres * 0.45 + (water ? 28 : 0));
}

function status({ holder, since }: Plot): string {
  return holder === null ? 'free' : `let to ${holder}${since ? ` since ${since.slice(0, 4)}` : ''}`;
}

export function toCard(plot: Plot) {
  return { plot: plot.id, size: `${plot.squareMetres} m²`, status: status(plot), rent: yearlyRent(plot) };
}
