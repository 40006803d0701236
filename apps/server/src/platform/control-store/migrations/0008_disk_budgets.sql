CREATE TABLE "disk_budgets" (
	"store" text PRIMARY KEY NOT NULL,
	"since" timestamp (6) with time zone,
	"last_drop_at" timestamp (6) with time zone,
	"held_by" uuid,
	"held_until" timestamp (6) with time zone
);
