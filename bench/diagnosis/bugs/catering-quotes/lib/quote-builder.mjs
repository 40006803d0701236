export class QuoteBuilder {
  start(guests) {
    this.guests = guests;
    this.dishes = [];
    this.total = 0;
  }

  addDish(name, price) {
    this.dishes.push(name);
    this.total += price * this.guests;
    return this.total;
  }

  finish() {
    return { total: this.total, dishes: this.dishes };
  }
}
