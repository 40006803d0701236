CREATE TABLE "deletion_receipts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"what" text NOT NULL,
	"project_id" uuid NOT NULL,
	"project" text NOT NULL,
	"organization_id" uuid,
	"user_id" uuid,
	"subject" text,
	"hours" integer[],
	"requested_at" timestamp (6) with time zone NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb,
	"rewritten_at" timestamp (6) with time zone,
	"gone_at" timestamp (6) with time zone
);
--> statement-breakpoint
CREATE INDEX "deletion_receipts_gone" ON "deletion_receipts" USING btree ("gone_at","requested_at");