import { readIndexFile, readBox, boxCount } from './storage.mjs';

async function loadIndex(collection) {
  try {
    return JSON.parse(await readIndexFile(collection));
  } catch {
    return {};
  }
}

async function findInBox(collection, box, id) {
  const photos = await readBox(collection, box);
  return photos.find((photo) => photo.id === id) ?? null;
}

export async function findPhoto(collection, id) {
  const index = await loadIndex(collection);
  if (id in index) return findInBox(collection, index[id], id);
  // new arrivals are indexed at night only
  for (let box = boxCount(collection) - 1; box >= 0; box--) {
    const photo = await findInBox(collection, box, id);
    if (photo) return photo;
  }
  return null;
}
