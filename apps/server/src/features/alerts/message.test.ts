import { expect, test } from 'vitest';
import { composeMail } from '../../platform/mail/compose.ts';
import { composeAlertMail, composePayload, composeSlackBody } from './message.ts';

const NASTY = '<!channel> <https://evil.example|pay> www.evil.example & more';
const payload = composePayload({
  id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e42',
  event: 'firing',
  createdAt: new Date('2026-03-02T12:10:00Z'),
  project: { id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e43', name: 'shop evil.example' },
  rule: {
    id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e44',
    kind: 'new_error',
    service: null,
    environment: null,
    endpoint: null,
    threshold: null,
    minutes: null,
    severity: null,
  },
  incident: {
    id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e45',
    openedAt: '2026-03-02T12:00:00.000Z',
    closedAt: null,
    value: null,
    error: { id: 'e', service: 'shop', message: `${NASTY} ${'x'.repeat(10_000)}` },
    insight: null,
  },
  publicUrl: 'https://flows.example',
});

test('a captured error message in an alert is shortened, and contains no link, markup or mention', () => {
  const mail = composeMail(composeAlertMail('ada@test.example', payload));
  expect(mail.subject).toBe('Alert: New error');
  expect(mail.text).not.toMatch(/evil\.example|:\/\/evil/);
  expect(mail.text).toContain('https://flows.example/errors?');
  expect(mail.html).not.toContain('<!channel>');
  const { text } = JSON.parse(composeSlackBody(payload));
  expect(text).toContain('&lt;!channel&gt; &lt;https://evil.example|pay&gt;');
  expect(text.match(/<[^>]*>/g)).toEqual([
    '<https://flows.example/errors?project=019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e43&error=e&from=2026-03-02T12:00:00.000Z|See more>',
  ]);
  expect(text.length).toBeLessThan(1000);
});
