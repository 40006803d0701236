import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findBrokenLinks, findLongParagraphs, findMissingBoxes } from './doc-rules.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });

test.each(pages)('no link of %s leads to a missing file or heading', (page) => {
  expect(findBrokenLinks(root, page)).toEqual([]);
});

test.each(pages)('no paragraph of %s is longer than five lines', (page) => {
  expect(findLongParagraphs(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test('a link to a missing file or heading is found, and a link to another site is not followed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'b.md'), '# Two `words`\n');
  const links = ['b.md', 'b.md#two-words', 'b.md#three', 'c.md', '#a', '#b', 'https://example.com/c.md'];
  writeFileSync(join(folder, 'a.md'), `# A\n\n${links.map((link) => `[x](${link})`).join(' ')}\n`);
  expect(findBrokenLinks(folder, 'a.md')).toEqual(['a.md: b.md#three', 'a.md: c.md', 'a.md: #b']);
});

test('a paragraph of six lines, or one equally long line, is found; tables, code and lists of short items are not', () => {
  const six = 'line\n'.repeat(6);
  const longLine = 'x'.repeat(701);
  const page = `${six}\n${longLine}\n\n\`\`\`\n${six}\`\`\`\n\n${'| a |\n'.repeat(6)}\n${'- a\n'.repeat(6)}`;
  expect(findLongParagraphs('a.md', page)).toEqual(['a.md:1', 'a.md:8']);
});

test('each box in the diagrams of docs/architecture.md names files and folders that exist', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [capture = '', ingest = '', read = ''] = page
    .split('```mermaid')
    .slice(1)
    .map((rest) => `\`\`\`mermaid${rest}`);
  const server = ['apps/server/src', 'apps/server/src/features'];
  const dashboard = ['apps/dashboard/src', 'apps/dashboard/src/features'];
  expect(findMissingBoxes(root, capture, ['packages/sdk/src'])).toEqual([]);
  expect(findMissingBoxes(root, ingest, [...server, 'apps/server/src/features/ingest'])).toEqual([]);
  expect(findMissingBoxes(root, read, ['.', ...server, ...dashboard])).toEqual([]);
});

test('a box that names no existing file is found', () => {
  const page =
    '```mermaid\nflowchart LR\n  a[send/exporter.ts, gone.ts: memory] -->|x[y]| b[source file] --> c[nowhere]\n```\n';
  expect(findMissingBoxes(root, page, ['packages/sdk/src'])).toEqual(['gone.ts', 'nowhere']);
});
