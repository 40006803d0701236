CREATE TABLE "retentions_seen" (
	"project_id" uuid NOT NULL,
	"hours" integer NOT NULL,
	"first_seen_at" timestamp (6) with time zone NOT NULL,
	"last_seen_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "retentions_seen_project_id_hours_pk" PRIMARY KEY("project_id","hours")
);
--> statement-breakpoint
CREATE TABLE "usage_claims" (
	"id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"period_start" timestamp (6) with time zone NOT NULL,
	"traces" integer NOT NULL,
	"made_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "usage_claims_id_account_id_pk" PRIMARY KEY("id","account_id")
);
--> statement-breakpoint
CREATE TABLE "usage_months" (
	"account_id" uuid NOT NULL,
	"period_start" timestamp (6) with time zone NOT NULL,
	"traces" bigint DEFAULT 0 NOT NULL,
	"reached_80_at" timestamp (6) with time zone,
	"reached_100_at" timestamp (6) with time zone,
	CONSTRAINT "usage_months_account_id_period_start_pk" PRIMARY KEY("account_id","period_start")
);
--> statement-breakpoint
ALTER TABLE "retentions_seen" ADD CONSTRAINT "retentions_seen_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_claims_made" ON "usage_claims" USING btree ("made_at");