import { setTimeout as wait } from 'node:timers/promises';

export interface Article {
  sku: string;
  text: string;
  tariffNumber: string;
  euros: number;
  grams: number;
}

const articles: Article[] = [
  { sku: 'KN-10', text: 'Knitted cap', tariffNumber: '6505.00', euros: 24, grams: 110 },
  { sku: 'KN-22', text: 'Wool scarf', tariffNumber: '6117.10', euros: 39.5, grams: 220 },
  { sku: 'TE-01', text: 'Teapot', tariffNumber: '6912.00', euros: 58, grams: 1150 },
  { sku: 'TE-07', text: 'Tea bowl', tariffNumber: '6912.00', euros: 17, grams: 240 },
  { sku: 'PR-03', text: 'Linocut print', tariffNumber: '9702.90', euros: 85, grams: 310 },
];

export async function articleOf(sku: string): Promise<Article> {
  await wait(3);
  const article = articles.find((one) => one.sku === sku);
  if (!article) throw Object.assign(new Error(`there is no article ${sku}`), { status: 404 });
  return article;
}
