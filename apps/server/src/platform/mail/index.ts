export type { Mail } from './compose.ts';
export { registerOutbox } from './development-outbox.ts';
export { limitNotice } from './limits.ts';
export { createMailer, type Mailer } from './mail-queue.ts';
export { formatCapturedInMail, formatNameInMail, formatTimeInMail } from './names.ts';
export type { MailFact, MailItem, MailSection } from './sections.ts';
export { checkTransport } from './transport.ts';
