ALTER TABLE "error_splits" ADD COLUMN "decided_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "error_splits" SET "decided_ids" = ARRAY(
	SELECT "error_id" FROM "error_states" s WHERE s."project_id" = "error_splits"."project_id"
	UNION SELECT "error_id" FROM "error_merges" m WHERE m."project_id" = "error_splits"."project_id"
	UNION SELECT "target_id" FROM "error_merges" m WHERE m."project_id" = "error_splits"."project_id"
);