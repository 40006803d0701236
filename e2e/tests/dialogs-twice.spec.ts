import { expect, type Page } from '@playwright/test';
import type { Confirm } from '../harness/pages/dialog-row.ts';
import { listConfirmed } from '../harness/pages/dialogs.ts';
import { signUpForDialogs } from '../harness/people/dialog-people.ts';
import { test } from '../harness/server/worker-server.ts';

const findButton = (page: Page, { button }: Confirm) =>
  page.getByRole('dialog').getByRole('button', { name: button, exact: true }).last();

/** Records the changes that the page sends, by method and path; ignores GET requests. */
function listChanges(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return sent;
}

/** Sends a request and waits for its response. By then, the page has sent all earlier requests. */
const answerLater = (page: Page) =>
  page.evaluate(() => fetch('/api/health/live').then((answer) => answer.text()));

for (const owner of ['solo', 'owner'] as const) {
  const who = owner === 'solo' ? 'a solo user' : 'an organization';

  // Each dialog that ends the account, the project or the membership is tested with users of its own.
  const groups = [
    listConfirmed(owner).filter(({ confirm }) => confirm.isLast === undefined),
    ...listConfirmed(owner)
      .filter(({ confirm }) => confirm.isLast === true)
      .map((row) => [row]),
  ];
  for (const rows of groups) {
    test(`a double click on a dialog's button sends one change: ${rows.map(({ name }) => name).join(', ')}, of ${who} @long`, async ({
      page,
      ada,
      grace,
      organizationName,
    }) => {
      test.setTimeout(300_000);
      const people = await signUpForDialogs(page, owner, { ada, grace, organizationName });
      const sent = listChanges(page);
      for (const row of rows) {
        await row.open(page, people);
        await row.confirm.fill?.(page);
        sent.length = 0;
        await findButton(page, row.confirm).dblclick();
        await expect.poll(() => sent.length, row.name).toBeGreaterThan(0);
        await answerLater(page);
        expect(sent, row.name).toHaveLength(1);
      }
    });
  }
}
