import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { getMessage, messagesAround } from './messages.mjs';
import { idFromReference, parseMessageId } from './message-id.mjs';
import { priority, queueFor, textScore } from './triage.mjs';

export const reports = Router();

function excerpt(message) {
  return { author: message.author, channel: message.channel, text: message.text.slice(0, 80) };
}

async function evidenceFor(message) {
  const around = await messagesAround(message.channel, message.sentAt);
  return { message: excerpt(message), around: around.map(excerpt) };
}

reports.post('/', async (req, res) => {
  const { message: reference, reason, note } = req.body;
  const messageId = parseMessageId(idFromReference(reference));
  const message = await getMessage(messageId);
  const evidence = await evidenceFor(message);
  const points = priority(reason, req.reporter, textScore(message.text));
  res.status(201).json({
    id: randomUUID(),
    messageId,
    reporter: req.reporter.name,
    reason,
    note: note ?? null,
    points,
    queue: queueFor(points),
    evidence,
    filedAt: new Date().toISOString(),
  });
});
