import { Problem } from './problem.ts';

const papers: Record<string, string[]> = {
  glossy: ['9x13', '10x15', '13x18', '20x30'],
  matte: ['10x15', '13x18', '20x30'],
  'fine-art': ['20x30', '30x40', '40x60'],
  canvas: ['30x40', '40x60'],
};

export function sizesOf(paper: string): string[] {
  const sizes = papers[paper];
  if (!sizes) throw new Problem(404, `no paper is called ${paper}`);
  return sizes;
}

export function checkSize(paper: string, size: string): void {
  if (!sizesOf(paper).includes(size)) throw new Problem(422, `${paper} is not sold in ${size}`);
}
