import { Problem } from './problem.ts';

export interface PrintOptions {
  size: string;
  paper: string;
  border: boolean;
}

const presets: Record<string, PrintOptions> = {
  holiday: { size: '10x15', paper: 'glossy', border: false },
  portrait: { size: '13x18', paper: 'matte', border: false },
  gallery: { size: '40x60', paper: 'canvas', border: false },
  archive: { size: '20x30', paper: 'fine-art', border: true },
};

export function optionsFor(preset: string, wishes: Partial<PrintOptions>): PrintOptions {
  const options = presets[preset];
  if (!options) throw new Problem(404, `no preset is called ${preset}`);
  return Object.assign(options, wishes);
}
