/** Who is shopping. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Where the goods go. */
  readonly country: string;
  readonly loyaltyTier: string;
}

/** What {@link Customer} is in SQL, of the table `users`. */
export const CUSTOMER_COLUMNS =
  'users.id, users.name, users.email, users.country, users.loyalty_tier AS "loyaltyTier"';
