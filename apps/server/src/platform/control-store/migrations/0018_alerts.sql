CREATE TABLE "alert_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"event" text NOT NULL,
	"channel" text NOT NULL,
	"target" text NOT NULL,
	"key" text NOT NULL,
	"sealed_payload" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	"due_at" timestamp (6) with time zone NOT NULL,
	"finished_at" timestamp (6) with time zone,
	"problem" text,
	CONSTRAINT "alert_deliveries_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "alert_incidents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" uuid NOT NULL,
	"key" text NOT NULL,
	"opened_at" timestamp (6) with time zone NOT NULL,
	"closed_at" timestamp (6) with time zone,
	"value" double precision,
	"error_id" text,
	"sealed_error" text,
	"told_at" timestamp (6) with time zone,
	"told_end_at" timestamp (6) with time zone,
	CONSTRAINT "alert_incidents_key" UNIQUE("rule_id","key")
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"service" text,
	"environment" text,
	"endpoint" text,
	"threshold" double precision,
	"minutes" integer,
	"people" uuid[] NOT NULL,
	"sealed_webhook" text,
	"sealed_secret" text,
	"sealed_slack" text,
	"quiet_hours" jsonb,
	"paused" boolean NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	"since" timestamp (6) with time zone NOT NULL,
	"due_at" timestamp (6) with time zone NOT NULL,
	"look" integer DEFAULT 0 NOT NULL,
	"looked_at" timestamp (6) with time zone,
	"last_value" double precision,
	"above_since" timestamp (6) with time zone,
	"below_since" timestamp (6) with time zone
);
--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_incidents" ADD CONSTRAINT "alert_incidents_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_deliveries_due" ON "alert_deliveries" USING btree ("state","due_at");--> statement-breakpoint
CREATE INDEX "alert_deliveries_project" ON "alert_deliveries" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "alert_incidents_opened" ON "alert_incidents" USING btree ("opened_at");--> statement-breakpoint
CREATE INDEX "alert_rules_project" ON "alert_rules" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "alert_rules_due" ON "alert_rules" USING btree ("due_at");