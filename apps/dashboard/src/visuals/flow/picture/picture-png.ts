import type { Picture } from './flow-svg.ts';

/** Twice as many pixels as on the page, so that words can be read when it is pasted elsewhere. */
const SHARPNESS = 2;
/** No browser draws a larger canvas than this, on any side and in all. Pixels. */
const MAX_SIDE_PX = 16_000;
const MAX_PIXELS = 120_000_000;

/** A picture as PNG; less sharp where it is large. Rejects where the browser cannot draw one of its size. */
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
        (png) => (png === null ? reject(new Error('no picture was made')) : resolve(png)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
