CREATE TABLE "login_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "severity" text;--> statement-breakpoint
CREATE INDEX "login_attempts_at" ON "login_attempts" USING btree ("at");