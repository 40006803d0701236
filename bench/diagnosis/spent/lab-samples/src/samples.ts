import { setTimeout as wait } from 'node:timers/promises';
import { LabError } from './lab-error.ts';

export type Tube = 'edta' | 'serum' | 'citrate';

export interface Sample {
  id: string;
  patient: string;
  drawn: string;
  tubes: Tube[];
}

const samples = new Map<string, Sample>(
  [
    { id: 'S-201', patient: 'P-8810', drawn: '2026-02-03T07:40', tubes: ['serum'] },
    { id: 'S-202', patient: 'P-1204', drawn: '2026-02-03T07:55', tubes: ['edta'] },
    { id: 'S-203', patient: 'P-4471', drawn: '2026-02-03T08:10', tubes: ['citrate', 'edta'] },
    { id: 'S-204', patient: 'P-0927', drawn: '2026-02-03T08:15', tubes: ['edta'] },
    { id: 'S-205', patient: 'P-5530', drawn: '2026-02-03T08:20', tubes: ['edta'] },
    { id: 'S-206', patient: 'P-3318', drawn: '2026-02-03T08:45', tubes: ['serum', 'edta'] },
    { id: 'S-207', patient: 'P-7162', drawn: '2026-02-03T09:05', tubes: ['edta', 'serum'] },
  ].map((sample) => [sample.id, sample as Sample])
);

export async function findSample(id: string): Promise<Sample> {
  await wait(4);
  const sample = samples.get(id);
  if (!sample) throw new LabError(404, `no sample ${id}`);
  return sample;
}
