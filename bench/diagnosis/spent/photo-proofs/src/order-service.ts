import { findPhoto, type Photo } from './photos.ts';
import { priceOf } from './prices.ts';
import { needsProof, renderProof, type Crop } from './proofs.ts';

interface Item {
  photo: string;
  format: string;
  copies: number;
  crop?: Crop | null;
}

export interface NewOrder {
  customer: string;
  items: Item[];
}

export class OrderService {
  #count = 0;

  async place({ customer, items }: NewOrder) {
    const prints = await Promise.all(items.map((item) => this.prepare(item)));
    const total = prints.reduce((sum, { price }) => sum + price, 0);
    this.#count += 1;
    return { number: `F-${2600 + this.#count}`, customer, prints, total };
  }

  async prepare({ photo: id, format, copies, crop }: Item) {
    const photo = await findPhoto(id);
    const proof = needsProof(crop) ? await renderProof(photo, crop) : null;
    return {
      photo: id,
      format,
      copies,
      price: priceOf(format, copies),
      sharp: proof?.sharp ?? this.isSharp(photo, format),
    };
  }

  isSharp({ width, height }: Photo, format: string): boolean {
    const longSide = Number(format.split('x')[1]);
    return Math.max(width, height) / longSide >= 60;
  }
}
