import { setTimeout as wait } from 'node:timers/promises';

export interface Frame {
  id: string;
  night: string;
  band: string;
  /** In arc seconds. */
  seeing: number;
  exposure: number;
}

export interface Target {
  code: string;
  name: string;
}

const targets: Target[] = [
  { code: 'M31', name: 'Andromeda Galaxy' },
  { code: 'M42', name: 'Orion Nebula' },
  { code: 'M57', name: 'Ring Nebula' },
];

const nights: Record<string, [night: string, band: string, seeing: number, exposure: number][]> = {
  M31: [
    ['2025-01-03', 'g', 1.9, 120],
    ['2025-01-03', 'r', 1.7, 120],
    ['2025-01-11', 'i', 2.2, 180],
    ['2025-01-12', 'z', 1.1, 240],
    ['2025-02-02', 'r', 1.1, 120],
  ],
  M42: [
    ['2025-01-05', 'g', 1.2, 60],
    ['2025-01-05', 'r', 2.8, 60],
    ['2025-02-14', 'i', 1.0, 90],
  ],
  M57: [
    ['2024-06-20', 'g', 1.1, 300],
    ['2024-06-21', 'r', 1.2, 300],
    ['2024-07-02', 'r', 1.0, 300],
  ],
};

export async function targetOf(code: string): Promise<Target | null> {
  await wait(3);
  return targets.find((target) => target.code === code) ?? null;
}

export async function framesOf({ code }: Target): Promise<Frame[]> {
  await wait(9);
  const rows = nights[code] ?? [];
  return rows.map(([night, band, seeing, exposure], index) => ({
    id: `${code}-${String(index + 1).padStart(3, '0')}`,
    night,
    band,
    seeing,
    exposure,
  }));
}
