import { priceOf } from '../press/prices.mjs';
import { chooseSheet } from '../press/sheets.mjs';
import { outlineOf } from './outline.mjs';
import { readJob } from './read-job.mjs';

let counter = 7000;

function nextNumber(date) {
  counter += 1;
  return `Q${date.getUTCFullYear()}-${counter}`;
}

function lineFor(job, layout) {
  return `${job.copies} × ${job.width}×${job.height} mm on ${layout.sheet.name}, ${layout.perSheet} up`;
}

export async function quoteRoutes(app) {
  app.post('/quotes', async (request, reply) => {
    const job = readJob(request.body);
    const outline = outlineOf(job);
    const layout = chooseSheet(outline);
    const price = priceOf(job, layout);
    reply.code(201);
    return { number: nextNumber(new Date()), text: lineFor(job, layout), ...price };
  });
}
