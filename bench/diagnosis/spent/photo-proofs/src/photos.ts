import { setTimeout as wait } from 'node:timers/promises';

export interface Photo {
  id: string;
  width: number;
  height: number;
}

const photos: Photo[] = [
  { id: 'ph-10', width: 4032, height: 3024 },
  { id: 'ph-11', width: 6000, height: 4000 },
  { id: 'ph-12', width: 1600, height: 1200 },
  { id: 'ph-13', width: 3024, height: 4032 },
  { id: 'ph-14', width: 5472, height: 3648 },
];

export async function findPhoto(id: string): Promise<Photo> {
  await wait(4);
  const photo = photos.find((other) => other.id === id);
  if (!photo) throw Object.assign(new Error(`no photo ${id}`), { statusCode: 404 });
  return photo;
}
