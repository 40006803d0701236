import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAX_PARAGRAPH_LINES = 5;
/** Characters that count as one line. A longer line counts as several lines, so that joining lines does not make a paragraph shorter. */
const LINE_LENGTH = 140;

/** Lists links on a page that lead to no file or no heading, in the form `docs/a.md: b.md#heading`. `page` is relative to the root. */
export function findBrokenLinks(root: string, page: string): string[] {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1] ?? '');
  return links
    .filter((link) => !isExternal(link) && !leadsSomewhere(root, page, link))
    .map((link) => `${page}: ${link}`);
}

/** Lists paragraphs and list items with more than five lines, in the form `docs/a.md:12`. Ignores tables and code. */
export function findLongParagraphs(page: string, text: string): string[] {
  const found: string[] = [];
  let isCode = false;
  let start = 0;
  let length = 0;
  const end = () => {
    if (length > MAX_PARAGRAPH_LINES) found.push(`${page}:${start}`);
    length = 0;
  };
  for (const [index, line] of text.split('\n').entries()) {
    const isFence = line.trim().startsWith('```');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === '' || /^[#|]/.test(line)) {
      end();
      continue;
    }
    if (/^\s*([-*]|\d+\.) |^>/.test(line)) end();
    if (length === 0) start = index + 1;
    length += Math.ceil(line.length / LINE_LENGTH);
  }
  end();
  return found;
}

/**
 * Lists paths in a page's Mermaid diagrams that exist in none of the folders `bases`. The label of a box is a list of paths, such as `send,
 * http: exports traces`. Ignores the text after the colon, and paths that contain a space.
 */
export function findMissingBoxes(root: string, text: string, bases: readonly string[]): string[] {
  const diagrams = [...text.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, diagram = '']) => diagram);
  const boxes = diagrams.flatMap((diagram) => [
    ...diagram.replace(/\|[^|\n]*\|/g, '').matchAll(/\[([^[\]()]+)\]/g),
  ]);
  const paths = boxes.flatMap(([, label = '']) =>
    (label.split(':', 1)[0] ?? '').split(',').map((path) => path.trim()),
  );
  return paths.filter(
    (path) => !path.includes(' ') && !bases.some((base) => existsSync(join(root, base, path))),
  );
}

function isExternal(link: string): boolean {
  return /^[a-z]+:/.test(link);
}

function leadsSomewhere(root: string, page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(target)) return false;
  if (heading === undefined || !target.endsWith('.md')) return true;
  const headings = withoutCode(readFileSync(target, 'utf8')).matchAll(/^#+ (.*)$/gm);
  return [...headings].some((found) => buildAnchor(found[1] ?? '') === heading);
}

/** Builds a heading's anchor in the same way as GitHub. */
function buildAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '');
}
