'use strict';

const { setTimeout: wait } = require('node:timers/promises');

const queues = new Map();

async function enqueue(event, badge) {
  await wait(25);
  const queue = queues.get(event.id) ?? [];
  queues.set(event.id, [...queue, badge]);
  return queue.length + 1;
}

module.exports = { enqueue };
