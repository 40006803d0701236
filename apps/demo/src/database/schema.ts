export const SCHEMA = `
  CREATE TABLE users (
    id serial PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL UNIQUE,
    password_hash text NOT NULL,
    country text NOT NULL,
    loyalty_tier text NOT NULL DEFAULT 'none',
    imported_from text,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE sessions (
    token text PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE posts (
    id serial PRIMARY KEY,
    author_id integer NOT NULL REFERENCES users,
    title text NOT NULL,
    body text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE products (
    id serial PRIMARY KEY,
    name text NOT NULL,
    category text NOT NULL,
    price_cents integer NOT NULL,
    stock integer NOT NULL CHECK (stock >= 0)
  );
  CREATE TABLE cart_items (
    user_id integer NOT NULL REFERENCES users,
    product_id integer NOT NULL REFERENCES products,
    quantity integer NOT NULL,
    PRIMARY KEY (user_id, product_id)
  );
  CREATE TABLE tax_rates (
    country text PRIMARY KEY,
    name text NOT NULL,
    rate double precision NOT NULL
  );
  CREATE TABLE coupons (
    code text PRIMARY KEY,
    percent integer NOT NULL
  );
  CREATE TABLE orders (
    id serial PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users,
    placed_at timestamptz NOT NULL DEFAULT now(),
    country text NOT NULL,
    net_cents integer NOT NULL,
    discount_cents integer NOT NULL,
    tax_cents integer NOT NULL,
    total_cents integer NOT NULL,
    payment_reference text NOT NULL
  );
  CREATE TABLE order_lines (
    order_id integer NOT NULL REFERENCES orders,
    product_id integer NOT NULL REFERENCES products,
    quantity integer NOT NULL,
    price_cents integer NOT NULL
  );
  CREATE TABLE receipts (
    order_id integer PRIMARY KEY REFERENCES orders,
    email text NOT NULL,
    text text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
  );
`;

/** Release 1.4.0 created this index. In release 1.5.0 it is missing, which simulates a mistake. */
export const INDEX_OF_ORDERS = 'CREATE INDEX orders_of_user ON orders (user_id)';
