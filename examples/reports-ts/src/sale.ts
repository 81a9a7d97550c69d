export interface Sale {
  readonly customer: string;
  /** Milliseconds since the epoch. */
  readonly soldAt: number;
  /** In cents. */
  readonly amount: number;
}

export type Cents = Sale['amount'];
