const perLine: Record<string, number> = { furniture: 180, vehicles: 350, pets: 220, jobs: 490 };

const lineLength = 32;

export function linesOf(text: string): number {
  return Math.max(2, Math.ceil(text.length / lineLength));
}

export function centsFor(section: string, text: string): number {
  return (perLine[section] ?? 200) * linesOf(text);
}
