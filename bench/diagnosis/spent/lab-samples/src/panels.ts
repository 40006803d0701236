import { setTimeout as wait } from 'node:timers/promises';
import { LabError } from './lab-error.ts';
import type { Tube } from './samples.ts';

export interface Panel {
  code: string;
  tests: string[];
  hours: number;
}

const panels: Panel[] = [
  { code: 'blood-count', tests: ['hb', 'wbc', 'plt'], hours: 4 },
  { code: 'lipids', tests: ['ldl', 'hdl', 'trig'], hours: 8 },
  { code: 'clotting', tests: ['inr', 'aptt'], hours: 6 },
];

const tubes: Record<string, Tube> = {
  hb: 'edta',
  wbc: 'edta',
  plt: 'edta',
  hba1c: 'edta',
  ldl: 'serum',
  hdl: 'serum',
  trig: 'serum',
  cortisol: 'serum',
  ferritin: 'serum',
  inr: 'citrate',
  aptt: 'citrate',
};

export async function findPanel(code: string): Promise<Panel> {
  await wait(3);
  const panel = panels.find((other) => other.code === code);
  if (!panel) throw new LabError(404, `no panel ${code}`);
  return panel;
}

export function tubeFor(test: string): Tube {
  const tube = tubes[test];
  if (tube === undefined) throw new LabError(422, `unknown test ${test}`);
  return tube;
}
