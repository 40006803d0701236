import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTexts } from './list-texts.ts';

const root = join(import.meta.dirname, '..', '..');
const SOURCES = ['apps/dashboard/src', 'packages/contract/src', 'apps/server/src', 'packages/sdk/src'];
/** Files whose strings users do not read: tests, fixtures, migrations, SQL, word lists, tables of syntax nodes and references. */
const NOT_READ =
  /\.(?:test|long|bench|fixture)\.|\/(?:fixtures|migrations|test|redaction)\/|\/[\w-]*store\.ts$|\/(?:reference|layout)\.ts$/;

/** Matches strings without words: colours and beginnings of URLs. */
const NO_WORDS = /^(?:#[0-9a-f]{6}|https?:\/\/)$/;

test('the texts that people read are listed in docs/texts.md; update it with `npx vitest run -u`', async () => {
  const files = SOURCES.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !NOT_READ.test(file))
    .toSorted();
  const parts = files.flatMap((file) => {
    const texts = listTexts(file, readFileSync(join(root, file), 'utf8')).filter(
      (text) => !NO_WORDS.test(text),
    );
    return texts.length === 0 ? [] : [`## ${file}\n\n${texts.map((text) => `- ${text}`).join('\n')}\n`];
  });
  const page = `# Texts that people read

Made from the sources, so that all texts can be read in one go. {…} is a value that is filled in.

${parts.join('\n')}`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs/texts.md'));
});

test('sentences, labels and messages are listed; names, paths, SQL and PDF are not', () => {
  const source = `
    import { Thing } from './Some path';
    type State = 'Not a text here';
    const kind = 'active';
    const query = 'SELECT name FROM users';
    const invoice = ['BT /F1 12 Tf ET', \`\${index} 0 obj \${object} endobj\`];
    const KEYS = 'an id of one'.split(' ');
    const ACTIONS = { 'member.left': 'left', 'member.invited': 'sent an invitation to' };
    export const ERRORS = { gone: { status: 404, message: 'Gone', remedy: \`Ask \${owner}\` } };
    throw new Error(\`No trace has the id \${id}.\`);
    const page = (
      <p className="Big text" title="Help">
        Signed in as <strong>{name}</strong>, {count} times. {/* a note */}
        <Button aria-label="Log out" onClick={() => say('Good bye then')}>Log out</Button>
      </p>
    );
  `;
  expect(listTexts('page.tsx', source)).toEqual([
    'sent an invitation to',
    'Gone',
    'Ask {…}',
    'No trace has the id {…}.',
    'Signed in as {…}, {…} times. Log out',
    'Help',
    'Log out',
    'Good bye then',
  ]);
});
