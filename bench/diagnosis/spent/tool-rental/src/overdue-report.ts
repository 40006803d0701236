import type { Customer, CustomerStore } from './customer-store.ts';
import type { Rental, RentalStore } from './rental-store.ts';

const DAY = 86_400_000;

export class OverdueReport {
  readonly #rentals: RentalStore;
  readonly #customers: CustomerStore;

  constructor(rentals: RentalStore, customers: CustomerStore) {
    this.#rentals = rentals;
    this.#customers = customers;
  }

  async forBranch(branch: string, day: string) {
    const overdue = await this.#rentals.dueBefore(branch, day);
    const entries = [];
    for (const rental of overdue) {
      const customer = await this.#customers.find(rental.customer);
      entries.push(this.entry(rental, customer, day));
    }
    return { branch, count: entries.length, open: this.total(entries), entries };
  }

  entry(rental: Rental, customer: Customer, day: string) {
    const late = this.daysLate(rental, day);
    const rate = customer.trade ? rental.perDay * 0.8 : rental.perDay;
    return {
      tool: rental.tool,
      customer: customer.name,
      call: customer.phone,
      late,
      fee: Math.round(late * rate),
    };
  }

  daysLate({ due }: Rental, day: string): number {
    return Math.round((Date.parse(day) - Date.parse(due)) / DAY);
  }

  total(entries: { fee: number }[]): number {
    return entries.reduce((sum, { fee }) => sum + fee, 0);
  }
}
