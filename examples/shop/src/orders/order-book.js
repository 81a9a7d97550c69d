export class OrderBook {
  #orders = [];

  add(orders) {
    this.#orders = this.#orders.concat(orders);
    return orders.length;
  }

  summary(year) {
    const months = this.#totalsByMonth(year);
    return { year, months, total: months.reduce((sum, month) => sum + month, 0) };
  }

  #totalsByMonth(year) {
    const totals = Array.from({ length: 12 }, () => 0);
    for (const order of this.#orders) {
      const date = new Date(order.date);
      if (date.getUTCFullYear() === year) totals[date.getUTCMonth()] += order.total;
    }
    return totals;
  }
}
