import type { Picture } from './flow-svg.ts';

/** Uses twice as many pixels as on the page, so that text stays readable when the picture is pasted elsewhere. */
const SHARPNESS = 2;
/** The largest canvas that browsers draw: per side, and in total. Pixels. */
const MAX_SIDE_PX = 16_000;
const MAX_PIXELS = 120_000_000;

/** Renders a picture as PNG, with a lower resolution if the picture is large. Rejects if the browser cannot draw such a large picture. */
export async function renderPng({ svg, width, height }: Picture): Promise<Blob> {
  const scale = Math.min(
    SHARPNESS,
    MAX_SIDE_PX / Math.max(width, height),
    Math.sqrt(MAX_PIXELS / (width * height)),
  );
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (png) => (png === null ? reject(new Error('the browser created no picture')) : resolve(png)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
