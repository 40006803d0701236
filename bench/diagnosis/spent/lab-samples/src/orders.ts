import { setTimeout as wait } from 'node:timers/promises';
import { LabError } from './lab-error.ts';
import { findPanel, tubeFor } from './panels.ts';
import { findSample, type Sample, type Tube } from './samples.ts';

export interface TestRequest {
  panel: string;
  extra?: string[];
  urgent?: boolean;
}

interface Job {
  tube: Tube;
  tests: string[];
}

function addExtra(tests: string[], extra: string[]): string[] {
  for (const test of extra) {
    if (!tests.includes(test)) tests.push(test);
  }
  return tests;
}

function checkTubes(sample: Sample, tests: string[]): void {
  for (const test of tests) {
    const tube = tubeFor(test);
    if (!sample.tubes.includes(tube)) throw new LabError(422, `${sample.id} has no ${tube} tube for ${test}`);
  }
}

function jobsOf(tests: string[]): Job[] {
  const jobs = new Map<Tube, Job>();
  for (const test of tests) {
    const tube = tubeFor(test);
    const job = jobs.get(tube) ?? { tube, tests: [] };
    job.tests.push(test);
    jobs.set(tube, job);
  }
  return [...jobs.values()];
}

async function queue(sample: Sample, jobs: Job[]): Promise<string> {
  await wait(5);
  return `${sample.id}/${jobs.map(({ tube, tests }) => `${tube}${tests.length}`).join('+')}`;
}

export async function orderTests(sampleId: string, { panel: code, extra = [], urgent = false }: TestRequest) {
  const [sample, panel] = await Promise.all([findSample(sampleId), findPanel(code)]);
  const tests = addExtra(panel.tests, extra);
  checkTubes(sample, tests);
  const jobs = jobsOf(tests);
  return { job: await queue(sample, jobs), jobs, hours: urgent ? Math.ceil(panel.hours / 4) : panel.hours };
}
