import { fetchSamples } from './samples.mjs';

async function collect(athlete, size = 1) {
  const all = [];
  let page = 1;
  while (true) {
    const batch = await fetchSamples(athlete, page, size);
    all.push(...batch);
    if (batch.length < size) return all;
    page++;
  }
}

function summarize(samples) {
  const rates = samples.map((sample) => sample.bpm);
  return {
    count: samples.length,
    max: Math.max(...rates),
    min: Math.min(...rates),
  };
}

export async function exportSamples(athlete, size) {
  const samples = await collect(athlete, size);
  return { athlete, summary: summarize(samples), samples: samples.map(({ at, bpm }) => [at, bpm]) };
}
