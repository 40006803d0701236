import { setTimeout as sleep } from 'node:timers/promises';

const rows = [
  { id: '48213', channel: 'c-general', author: 'u-220', text: 'anyone up for padel on thursday?', sentAt: '2019-04-02T17:20:11Z' },
  { id: '48977', channel: 'c-market', author: 'u-655', text: 'selling two tickets, face value', sentAt: '2019-05-11T08:02:40Z' },
  { id: '51002', channel: 'c-general', author: 'u-318', text: 'first!!!', sentAt: '2019-08-30T21:44:02Z' },
  { id: '60411', channel: 'c-help', author: 'u-655', text: 'click here for free coins', sentAt: '2020-01-19T03:12:57Z' },
  { id: '1145298347652100097', channel: 'c-market', author: 'u-731', text: 'DM me for followers, cheap', sentAt: '2024-11-08T10:31:05Z' },
  { id: '1145298347652103168', channel: 'c-help', author: 'u-318', text: 'try turning it off and on', sentAt: '2024-11-08T10:35:44Z' },
];
const byId = new Map(rows.map((row) => [row.id, row]));

export async function getMessage(id) {
  await sleep(2);
  return byId.get(id);
}

export async function messagesAround(channel, sentAt) {
  await sleep(2);
  return rows.filter((row) => row.channel === channel && row.sentAt !== sentAt).slice(0, 3);
}
