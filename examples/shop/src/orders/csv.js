/** Reads the export of the warehouse: `number;date;total` with dates as in e-mails, `Tue, 05 Mar 2024 10:22:01 GMT`. */
export function parseOrders(csv) {
  const [, ...rows] = csv.trimEnd().split('\n');
  return rows.map((row) => parseOrder(row.split(';')));
}

function parseOrder([number, date, total]) {
  return { number, date, total: Number(total) };
}
