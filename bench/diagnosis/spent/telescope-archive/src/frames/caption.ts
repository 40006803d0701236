import type { Frame } from './observatory.ts';

function exposureText(seconds: number): string {
  return seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
}

export function caption({ id, night, band, seeing, exposure }: Frame): string {
  return `${id} (${night}, ${band}, ${exposureText(exposure)}, seeing ${seeing.toFixed(1)}")`;
}
