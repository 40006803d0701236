import { setTimeout as sleep } from 'node:timers/promises';

const boxes = new Map();
const indexFiles = new Map();

function addCollection(name, prefix, count, credit) {
  const list = [];
  const entries = [];
  for (let box = 0; box < count; box++) {
    const photos = ['a', 'b'].map((side) => ({ id: `${prefix}${box}${side}`, year: 1920 + (box % 70), credit }));
    list.push(photos);
    for (const photo of photos) entries.push(`"${photo.id}":${box}`);
  }
  boxes.set(name, list);
  indexFiles.set(name, `{"_credit":"${credit}",${entries.join(',')}}`);
}

addCollection('harbour', 'h', 240, 'Port Authority');
addCollection('railway', 'r', 220, 'Depot Museum');
addCollection('portraits', 'p', 260, 'Studio "Lindner"');
addCollection('markets', 'm', 180, 'City Archive');

export function hasCollection(name) {
  return boxes.has(name);
}

export function boxCount(name) {
  return boxes.get(name).length;
}

export async function readIndexFile(name) {
  await sleep(3);
  return indexFiles.get(name);
}

export async function readBox(name, box) {
  await sleep(3);
  return boxes.get(name)[box];
}
