import { readFile } from 'node:fs/promises';

const folder = new URL('./data/', import.meta.url);

async function readSheet(currency) {
  const text = await readFile(new URL(`${currency.toLowerCase()}.json`, folder), 'utf8');
  return JSON.parse(text);
}

/** Rates of one base currency, newest first. */
export async function fetchRates(currency) {
  try {
    const sheet = await readSheet(currency);
    return sheet.rates;
  } catch (error) {
    return null;
  }
}
