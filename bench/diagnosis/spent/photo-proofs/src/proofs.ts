import { setTimeout as wait } from 'node:timers/promises';
import type { Photo } from './photos.ts';

export interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Proof {
  url: string;
  sharp: boolean;
}

export function needsProof(crop: Crop | null | undefined): boolean {
  return crop !== undefined;
}

export async function renderProof(photo: Photo, crop: Crop | null | undefined): Promise<Proof> {
  await wait(740);
  const width = crop?.width ?? photo.width;
  return { url: `https://proofs.example/${photo.id}-${width}.jpg`, sharp: width >= 1500 };
}
