import { setTimeout as wait } from 'node:timers/promises';
import { checkSize } from './papers.ts';
import { optionsFor, type PrintOptions } from './presets.ts';

export interface JobRequest extends Partial<PrintOptions> {
  preset: string;
  photos: number;
}

const centsPerPrint: Record<string, number> = {
  '9x13': 12,
  '10x15': 15,
  '13x18': 45,
  '20x30': 290,
  '30x40': 2400,
  '40x60': 3900,
};

let jobs = 0;

async function enqueue(photos: number, size: string): Promise<string> {
  await wait(6);
  jobs += 1;
  return `${size}/${String(jobs).padStart(4, '0')}/${photos}`;
}

function priceOf(photos: number, { size, border }: PrintOptions): number {
  const each = (centsPerPrint[size] ?? 0) + (border ? 2 : 0);
  return photos * each + (photos < 10 ? 195 : 0);
}

export async function printJob({ preset, photos, ...wishes }: JobRequest) {
  const options = optionsFor(preset, wishes);
  checkSize(options.paper, options.size);
  const job = await enqueue(photos, options.size);
  return { job, paper: options.paper, size: options.size, cents: priceOf(photos, options) };
}
