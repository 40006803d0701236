/** A registered customer. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** The country to which the customer's orders are delivered. */
  readonly country: string;
  readonly loyaltyTier: string;
  /** Where the customer registered: `shop`, or the name of a shop that was taken over, such as `old-shop`. */
  readonly tenant: string;
}

/** The columns of {@link Customer} in the table `users`. */
export const CUSTOMER_COLUMNS =
  'users.id, users.name, users.email, users.country, users.loyalty_tier AS "loyaltyTier", coalesce(users.imported_from, \'shop\') AS tenant';
