import { randomUUID } from 'node:crypto';
import { customerFor } from './customers.mjs';
import { stripQuotes, toPlainText } from './mail-text.mjs';
import { findOrders } from './orders.mjs';
import { detectLanguage, pickQueue, urgency } from './routing.mjs';

let sequence = 90_400;

function openTicket(fields) {
  sequence += 1;
  return { number: sequence, id: randomUUID(), openedAt: new Date().toISOString(), ...fields };
}

export async function inbound(mail) {
  const customer = await customerFor(mail.from);
  const text = stripQuotes(toPlainText(mail.text));
  const orders = findOrders(`${mail.subject}\n${text}`);
  const language = detectLanguage(text);
  return openTicket({
    subject: mail.subject,
    customer: customer.name,
    order: orders.primary,
    otherOrders: orders.others,
    language,
    urgency: urgency(text, customer),
    queue: pickQueue(orders, customer, language),
    messageId: mail.messageId,
  });
}
