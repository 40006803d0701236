ALTER TABLE "alert_deliveries" ADD COLUMN "incident_id" uuid;--> statement-breakpoint
ALTER TABLE "alert_incidents" ADD COLUMN "peak" double precision;--> statement-breakpoint
ALTER TABLE "alert_incidents" ADD COLUMN "rule" jsonb;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "peak" double precision;--> statement-breakpoint
CREATE INDEX "alert_deliveries_incident" ON "alert_deliveries" USING btree ("incident_id");--> statement-breakpoint
UPDATE "alert_incidents" SET "peak" = "value", "rule" = (
	SELECT jsonb_build_object('id', r."id", 'kind', r."kind", 'service', r."service", 'environment', r."environment", 'endpoint', r."endpoint", 'threshold', r."threshold", 'minutes', r."minutes", 'severity', r."severity")
	FROM "alert_rules" r WHERE r."id" = "alert_incidents"."rule_id"
);--> statement-breakpoint
UPDATE "alert_deliveries" SET "incident_id" = split_part("key", ' ', 1)::uuid WHERE "event" <> 'test';
