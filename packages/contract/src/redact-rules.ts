/**
 * A project's own rules. They apply in addition to the built-in rules, which always apply. Rules cannot be regular expressions, so no rule
 * can block a server.
 */
export interface RedactRules {
  /**
   * Names to hide. They are compared by whole words: `customerRef` also hides `customer_ref` and `oldCustomerRef`, but not the plural
   * `customerRefs`.
   */
  readonly keys?: readonly string[];
  /**
   * Exact paths of names and indexes joined by dots, with `*` for any one segment:
   * `request.body.items.*.note`, `variables.parameters.order.iban`.
   */
  readonly paths?: readonly string[];
}
