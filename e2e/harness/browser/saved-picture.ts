import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';

/** Saves the open flow graph. Returns the file's name and bytes. */
async function save(page: Page, item: 'SVG picture' | 'PNG picture') {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  const download = await saving;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Elements that a saved SVG file can contain. None of them can run scripts, load other files or embed other markup. */
const ELEMENTS = ['svg', 'title', 'defs', 'marker', 'g', 'path', 'rect', 'text'];

/**
 * Saves the open flow graph as SVG, and checks that the file is well formed and contains no scripts, links to files or embedded markup.
 * Returns the picture's size in pixels and its text.
 */
export async function savedSvg(page: Page) {
  const { name, bytes } = await save(page, 'SVG picture');
  expect(name).toBe('flow.svg');
  const read = await page.evaluate((text) => {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
    const all = [documentElement, ...documentElement.querySelectorAll('*')];
    return {
      elements: [...new Set(all.map(({ localName }) => localName))],
      attributes: [...new Set(all.flatMap((element) => element.getAttributeNames()))],
      width: Number(documentElement.getAttribute('width')),
      height: Number(documentElement.getAttribute('height')),
      text: documentElement.textContent,
    };
  }, bytes.toString('utf8'));
  expect(read.elements.filter((element) => !ELEMENTS.includes(element))).toEqual([]);
  expect(read.attributes.filter((attribute) => /^on|href$|^src$/i.test(attribute))).toEqual([]);
  return read;
}

const SIGNATURE = '89504e470d0a1a0a';

/** Saves the open flow graph as PNG. Checks that the file's header and the browser report the same size, and returns the size in pixels. */
export async function savedPng(page: Page): Promise<{ readonly width: number; readonly height: number }> {
  const { name, bytes } = await save(page, 'PNG picture');
  expect(name).toBe('flow.png');
  expect(bytes.subarray(0, 8).toString('hex')).toBe(SIGNATURE);
  const head = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const opened = await page.evaluate(async (base64) => {
    const raw = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const { width, height } = await createImageBitmap(new Blob([raw], { type: 'image/png' }));
    return { width, height };
  }, bytes.toString('base64'));
  expect(opened).toEqual(head);
  return head;
}
